/** Limits of the host API, named, with their units. Those that it shares with the POS API stand in ../limits.ts. */

/** Seconds for which a payment session waits for its terminal: bounds, and the default (decisions: Secret-key additions). */
export const MIN_SESSION_EXPIRY_SECONDS = 60;
export const MAX_SESSION_EXPIRY_SECONDS = 300;
export const DEFAULT_SESSION_EXPIRY_SECONDS = 300;
/** Seconds within which a claimed session must be started (decisions: Sessions). */
export const SESSION_START_TIMEOUT_SECONDS = 60;
/** Minutes within which a reader operation in progress must end (specification: Limits, processingExpiresAt). */
export const SESSION_PROCESSING_TIMEOUT_MINUTES = 15;
/** Characters of a claim token. */
export const MAX_CLAIM_TOKEN_CHARACTERS = 64;
/** Events of one session; a device sends a handful. */
export const MAX_SESSION_EVENTS = 1000;

/** Characters of a pairing code, its life in minutes, and tries before it is locked (decisions: Provisioning). */
export const PAIRING_CODE_CHARACTERS = 8;
export const PAIRING_CODE_TTL_MINUTES = 10;
export const MAX_PAIRING_TRIES = 5;
/** Characters of a device token, as text. */
export const MAX_TOKEN_CHARACTERS = 128;

/** Characters of a name that the host's administration gives. */
export const MAX_PROVISIONED_NAME_CHARACTERS = 100;
/** POS clients of one merchant. */
export const MAX_POS_CLIENTS = 1_000;

/** Tip choices that a terminal offers, and the largest share in 1/10,000 that may be configured. */
export const MAX_TIP_PRESETS = 10;
export const MAX_TIP_BASIS_POINTS = 10_000;

/** Days for which a hold stands unless the acquirer says otherwise (decisions: authExpiresAt). */
export const DEFAULT_AUTHORIZATION_DAYS = 7;

/** Characters of a name that a device gives: entry mode, acceptance mode, vendor. */
export const MAX_NAME_CHARACTERS = 32;
/** Characters of a reason in words. */
export const MAX_REASON_CHARACTERS = 200;
/** Characters of a failure code of a device. */
export const MAX_FAILURE_CODE_CHARACTERS = 64;

/** EMV tags of one request, hex characters of a tag's name as it may be spelt, and of its value (255 bytes). */
export const MAX_EMV_TAGS = 64;
export const MAX_EMV_VALUE_HEX_CHARACTERS = 510;
/** Hex characters of encrypted account data, a PIN block and a key serial number. */
export const MAX_ENCRYPTED_PAN_HEX_CHARACTERS = 512;
export const MAX_PIN_BLOCK_HEX_CHARACTERS = 32;
export const MAX_KSN_HEX_CHARACTERS = 24;
/** Characters of a masked card number as a device sends it; what shows too much is dropped. */
export const MAX_MASKED_PAN_CHARACTERS = 32;

/** Requests per second and credential, sustained and in a burst; reversals are exempt (decisions: Rate limits). */
export const MAX_HOST_REQUESTS_PER_SECOND = 200;
export const MAX_HOST_REQUEST_BURST = 400;

/** Bytes of an answer that a till sends over the terminal link: a page of events with their receipts is the longest. */
export const MAX_LINK_ANSWER_BYTES = 4 * 1_048_576;
/** Characters of the path and query of a POS call over the terminal link. */
export const MAX_LINK_PATH_CHARACTERS = 2_048;
