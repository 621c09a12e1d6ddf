import { BridgeError } from '../../app/contract/errors.ts';

/** How long an old key works on, unless the command says otherwise; hours. */
export const defaultKeepHours = 24;
const maxKeepHours = 24 * 90;

export function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** A value of the command line that the command requires. */
export function text(value: string | undefined): string {
  return value ?? '';
}

/** Milliseconds that --keep-hours stands for. @throws BridgeError INVALID_REQUEST */
export function graceMsOf(hours: string = String(defaultKeepHours)): number {
  if (!/^\d{1,4}$/.test(hours) || Number(hours) > maxKeepHours) {
    throw new BridgeError('INVALID_REQUEST', `--keep-hours is a number from 0 to ${maxKeepHours}`);
  }
  return Number(hours) * 3_600_000;
}

/** Whether a credential works, in a word. */
export function stateOf(
  { revokedAtMs, expiresAtMs }: { readonly revokedAtMs?: number; readonly expiresAtMs?: number },
  nowMs: number,
): string {
  if (revokedAtMs !== undefined) return 'REVOKED';
  if (expiresAtMs === undefined) return 'WORKS';
  return expiresAtMs > nowMs ? 'ENDING' : 'ENDED';
}
