/** Limits of the console, each named, with its unit. */

export const MIN_PIN_DIGITS = 4;
export const MAX_PIN_DIGITS = 8;
export const MAX_STAFF_NAME_CHARACTERS = 40;
/** Members of the staff that are kept, those who left included. */
export const MAX_STAFF = 500;

/** Wrong PINs in a row after which a member of the staff has to wait. */
export const PIN_TRIES_BEFORE_LOCK = 5;
/** Seconds of the first wait; each further wrong PIN doubles it, up to the longest. */
export const FIRST_PIN_LOCK_SECONDS = 30;
export const LONGEST_PIN_LOCK_SECONDS = 3600;

/** Seconds without a person's touch after which the screen locks, when nothing else is set; and the bounds of the setting. */
export const DEFAULT_LOCK_AFTER_SECONDS = 300;
export const MIN_LOCK_AFTER_SECONDS = 30;
export const MAX_LOCK_AFTER_SECONDS = 28_800;

/** Minor units above which a refund needs a manager's approval, when nothing else is set. */
export const DEFAULT_REFUND_APPROVAL_ABOVE_MINOR = 5000;

/** Characters of a search. */
export const MAX_SEARCH_CHARACTERS = 64;
/** Possible duplicates that the inbox lists, newest first. */
export const MAX_LISTED_DUPLICATES = 100;
/** Seconds after which a terminal that is gone or wants help stands in the inbox: a short outage or a restart is not worth a person's time. */
export const TERMINAL_TROUBLE_AFTER_SECONDS = 15;
/** Events of one transaction's timeline. */
export const MAX_TIMELINE_EVENTS = 200;

/** Notes or coins of one kind in a cash count. */
export const MAX_PIECES = 100_000;
/** Kinds of notes and coins in a cash count. */
export const MAX_PIECE_KINDS = 40;
/** Business days that the history of closes shows. */
export const MAX_HISTORY_DAYS = 400;
/** Web origins that may call at a time. */
export const MAX_ALLOWED_ORIGINS = 50;
/** Requests to the POS API that are kept for the console's list. */
export const MAX_LISTED_REQUESTS = 500;
/** Characters of each field of the support contact. */
export const MAX_SUPPORT_CONTACT_CHARACTERS = 80;
/** Days for which a bank usually keeps a hold, when nothing else is set; and the longest that can be set. */
export const DEFAULT_HOLD_DAYS = 7;
export const MAX_HOLD_DAYS = 31;
/** People and POS clients that can be searched for by name; the filter lists them. */
export const MAX_LISTED_STARTERS = 500;
/** Characters of one of them: the kind of caller, and its name. */
export const MAX_STARTER_CHARACTERS = 200;
/** Lines of the log that the console's page holds. */
export const MAX_LISTED_LOG_LINES = 2_000;
/** Messages on the line of each terminal that are kept. */
export const MAX_TRACED_MESSAGES = 400;
/** Days of transactions in a support bundle, when nothing else is asked for; and the most. */
export const DEFAULT_BUNDLE_DAYS = 14;
export const MAX_BUNDLE_DAYS = 400;
/** Characters of an entry of a support bundle that are shown before it is handed over. */
export const MAX_PREVIEW_CHARACTERS = 100_000;
/** Findings that are told of a refused support bundle or of a journal. */
export const MAX_TOLD_FINDINGS = 50;
