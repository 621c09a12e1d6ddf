/**
 * Every limit of the wire, named, with its unit. Sources: specification section Limits, and the named topics of the decisions.
 */

/** Largest amount in minor units: 2^53 − 1, the largest integer that JSON readers everywhere keep exactly (decisions: Accepted amounts). */
export const MAX_AMOUNT_MINOR = Number.MAX_SAFE_INTEGER;

/** Unicode code points of a referenceId (specification: Limits; decisions: Characters). */
export const MAX_REFERENCE_ID_CHARACTERS = 64;
/** Keys of one metadata object (specification: Limits). */
export const MAX_METADATA_KEYS = 20;
/** Unicode code points of one metadata value (specification: Limits; decisions: Characters). */
export const MAX_METADATA_VALUE_CHARACTERS = 256;
/** Characters of an identifier that a caller sends back to us, such as a transactionId. */
export const MAX_ID_CHARACTERS = 64;

/** Visible ASCII characters of an Idempotency-Key (decisions: Idempotency-Key). */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** Days for which an idempotent answer is kept at least (decisions: Idempotency-Key). */
export const IDEMPOTENCY_RETENTION_DAYS = 30;
/** Hours within which a second sale with the same referenceId is flagged (decisions: referenceId). */
export const POSSIBLE_DUPLICATE_WINDOW_HOURS = 24;

/** Bytes of a request body or a WebSocket message (decisions: Limits). */
export const MAX_BODY_BYTES = 64 * 1024;
/** Nesting of arrays and objects in a JSON document (decisions: Limits). */
export const MAX_JSON_DEPTH = 32;
/** Requests per second and client, sustained (decisions: Limits). */
export const MAX_REQUESTS_PER_SECOND = 50;
/** Requests of one client in a burst (decisions: Limits). */
export const MAX_REQUEST_BURST = 100;
/** WebSocket sessions of one client at a time (decisions: Limits). */
export const MAX_SOCKETS_PER_CLIENT = 8;

/** Bounds of X-Timeout-Seconds, and the whole call's time without it, in seconds (decisions: Time-outs). */
export const MIN_CALL_TIMEOUT_SECONDS = 10;
export const MAX_CALL_TIMEOUT_SECONDS = 240;
/** Seconds within which a granular transaction must be completed (decisions: /v1/transaction/complete). */
export const COMPLETION_TIMEOUT_SECONDS = 60;

/** Items of one page of a list: bounds, and the default (specification: Limits). */
export const MIN_PAGE_ITEMS = 1;
export const MAX_PAGE_ITEMS = 100;
export const DEFAULT_PAGE_ITEMS = 25;
/** Characters of an opaque cursor. */
export const MAX_CURSOR_CHARACTERS = 512;
/** Events of one page of GET /v1/events, or of one replay. */
export const MAX_EVENT_PAGE_ITEMS = 1000;
export const DEFAULT_EVENT_PAGE_ITEMS = 100;

/** Lines on a terminal's display, and characters of each (decisions: display / input). */
export const MAX_DISPLAY_LINES = 8;
export const MAX_DISPLAY_LINE_CHARACTERS = 40;
/** Milliseconds for which a text stays; 0 means until replaced (decisions: display / input). */
export const MAX_DISPLAY_DURATION_MS = 60_000;
/** Characters of an input's prompt: as many as the display shows. */
export const MAX_PROMPT_CHARACTERS = MAX_DISPLAY_LINES * MAX_DISPLAY_LINE_CHARACTERS;
/** Choices of a menu (decisions: display / input). */
export const MIN_INPUT_OPTIONS = 2;
export const MAX_INPUT_OPTIONS = 12;
/** Characters that may be asked for in one input. */
export const MAX_INPUT_CHARACTERS = 255;
/** Milliseconds that an input waits (decisions: display / input). */
export const MIN_INPUT_TIMEOUT_MS = 1_000;
export const MAX_INPUT_TIMEOUT_MS = 120_000;
export const DEFAULT_INPUT_TIMEOUT_MS = 30_000;
/** Lines of one print job, and characters of each. */
export const MAX_PRINT_LINES = 200;
export const MAX_PRINT_LINE_CHARACTERS = 80;

/** Characters of the evidence text of a resolution, and of the name of who resolved. */
export const MAX_EVIDENCE_CHARACTERS = 500;
export const MAX_RESOLVER_CHARACTERS = 100;

/** Seconds for the first message of a browser's session, and of a one-time ticket's life (decisions: WebSocket). */
export const SESSION_AUTH_TIMEOUT_SECONDS = 5;
export const SESSION_TICKET_TTL_SECONDS = 30;
/** Days for which events can be replayed; the newest stay longer (decisions: Events). */
export const EVENT_RETENTION_DAYS = 30;
/** Seconds between pings, and of silence after which a peer counts as gone (decisions: WebSocket). */
export const SESSION_PING_INTERVAL_SECONDS = 5;
export const SESSION_DEAD_AFTER_SECONDS = 15;
/** Characters of a requestId that a client chooses. */
export const MAX_REQUEST_ID_CHARACTERS = 64;

/** EMV issuer authentication data (tag 91) has 8 to 16 bytes; one issuer script (71, 72) at most 255; scripts per list. */
export const MIN_ISSUER_AUTH_DATA_HEX_CHARACTERS = 16;
export const MAX_ISSUER_AUTH_DATA_HEX_CHARACTERS = 32;
export const MAX_ISSUER_SCRIPT_HEX_CHARACTERS = 510;
export const MAX_ISSUER_SCRIPTS = 16;

/** Digits of a run that may be a card number (decisions: PAN-shaped text). */
export const MIN_PAN_DIGITS = 14;
export const MAX_PAN_DIGITS = 19;
