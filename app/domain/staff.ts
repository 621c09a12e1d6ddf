import {
  FIRST_PIN_LOCK_SECONDS,
  LONGEST_PIN_LOCK_SECONDS,
  PIN_TRIES_BEFORE_LOCK,
} from '../contract/console/console-limits.ts';
import { approvingRoles, type Role } from '../contract/console/roles.ts';

/** A member of the staff as stored. Those who left stay, for the journal names them. */
export interface StaffMember {
  readonly staffId: string;
  readonly name: string;
  readonly role: Role;
  /** Salted hash with its parameters; the PIN itself is nowhere. */
  readonly pinHash: string;
  /** Wrong PINs since the last right one. */
  readonly wrongPins: number;
  /** No PIN is taken before; ISO 8601 UTC. */
  readonly lockedUntil?: string;
  readonly createdAt: string;
  readonly deactivatedAt?: string;
  readonly lastSignInAt?: string;
  /** The ready administrator of training: cannot sign in where real money can move. */
  readonly trainingOnly: boolean;
}

/** Something that somebody did to the till itself: who, what, when. Money has its journal; this stands beside it. */
export interface AuditEntry {
  readonly at: string;
  /** `console:<name>`, `system`. */
  readonly actor: string;
  readonly action: AuditAction;
  /** Identifier of whom or what it was done to. */
  readonly subjectId: string;
  /** What it was, in words; never a PIN or key. */
  readonly text: string;
}

export type AuditAction =
  | 'STAFF_CREATED'
  | 'STAFF_UPDATED'
  | 'PIN_SET'
  | 'STAFF_DEACTIVATED'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'PIN_WRONG'
  | 'APPROVED'
  | 'KEY_CREATED'
  | 'KEY_REVOKED'
  | 'EXPORTED'
  | 'KEY_ROTATED'
  | 'CLIENT_RENAMED'
  | 'ORIGIN_ALLOWED'
  | 'ORIGIN_REMOVED'
  | 'SETTINGS_CHANGED'
  | 'HOST_PAIRED'
  | 'HOST_UNPAIRED';

/** A browser that was let in by a one-time token, and who is signed in at it. */
export interface ConsoleSession {
  /** SHA-256 of the cookie, lower-case hex. */
  readonly sessionId: string;
  readonly createdAt: string;
  /** Last sign of a person; ISO 8601 UTC. */
  readonly touchedAt: string;
  readonly staffId?: string;
}

/** Whether the member can sign in or approve at this till. */
export function isActive(member: StaffMember, training: boolean): boolean {
  return member.deactivatedAt === undefined && (training || !member.trainingOnly);
}

export function mayApprove(role: Role): boolean {
  return approvingRoles.includes(role);
}

/** The member after one more try of a PIN whose result is not known yet: counted first, so that tries side by side cannot pass the limit. */
export function withTry(member: StaffMember, nowMs: number): StaffMember {
  const wrongPins = member.wrongPins + 1;
  const lockSeconds = lockSecondsAfter(wrongPins);
  if (lockSeconds === 0) return { ...member, wrongPins };
  return { ...member, wrongPins, lockedUntil: new Date(nowMs + lockSeconds * 1000).toISOString() };
}

/** The member after the right PIN, or a new one. */
export function withoutTries(member: StaffMember): StaffMember {
  const { lockedUntil: _lockedUntil, ...rest } = member;
  return { ...rest, wrongPins: 0 };
}

function lockSecondsAfter(wrongPins: number): number {
  const doublings = wrongPins - PIN_TRIES_BEFORE_LOCK;
  return doublings < 0 ? 0 : Math.min(FIRST_PIN_LOCK_SECONDS * 2 ** doublings, LONGEST_PIN_LOCK_SECONDS);
}

/** Seconds until a PIN is taken again; 0 when one is taken now. A clock that was set back makes no wait longer than the longest. */
export function lockedForSeconds(member: StaffMember, nowMs: number): number {
  if (member.lockedUntil === undefined) return 0;
  const seconds = Math.ceil((Date.parse(member.lockedUntil) - nowMs) / 1000);
  return Math.min(Math.max(0, seconds), LONGEST_PIN_LOCK_SECONDS);
}
