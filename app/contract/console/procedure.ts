import type { Static, TSchema } from 'typebox';
import type { Role } from './roles.ts';

/** Who may call: a browser that is let in at all (ANYONE), or a signed-in member of the staff with one of these roles. */
type Access = 'ANYONE' | readonly Role[];

/**
 * ALWAYS: a caller who is no manager needs one's approval. ABOVE_REFUND_LIMIT: for a refund or void of a payment that gives back more than the till's limit only.
 * Managers and administrators approve by calling.
 */
type ApprovalRule = 'ALWAYS' | 'ABOVE_REFUND_LIMIT';

/** One procedure of the console, as the map states it. */
export interface Procedure {
  /** LOOK_UP changes nothing and may be repeated in the background; a COMMAND is something that a person did, and keeps the screen unlocked. */
  readonly kind: 'LOOK_UP' | 'COMMAND';
  readonly request: TSchema;
  readonly response: TSchema;
  readonly roles: Access;
  readonly approval?: ApprovalRule;
}

export type RequestOf<P extends Procedure> = Static<P['request']>;
export type ResponseOf<P extends Procedure> = Static<P['response']>;
