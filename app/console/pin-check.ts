import { ConsoleError } from '../contract/console/refusal.ts';
import type { Secret } from '../domain/secret.ts';
import { isActive, lockedForSeconds, type StaffMember, withoutTries, withTry } from '../domain/staff.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { isRightPin } from './pins.ts';

/**
 * Whether a PIN is a member's own; `field` says where it stood in the request, for the refusal.
 * @throws ConsoleError PIN_WRONG, also for somebody who is not there any more; PIN_LOCKED after too many wrong ones in a row
 */
export type PinCheck = (staffId: string, pin: Secret<string>, field: string) => Promise<StaffMember>;

/** Tries are counted on disk before they are judged: neither a restart nor tries side by side give more of them. */
export function createPinCheck({ journal, clock, log, settings }: ConsoleDeps): PinCheck {
  function takeTry(staffId: string, field: string): StaffMember {
    return journal.commit((unit) => {
      const member = unit.findStaff(staffId);
      if (member === undefined || !isActive(member, settings.training)) throw wrong(field);
      const retryAfterSeconds = lockedForSeconds(member, clock.nowMs());
      if (retryAfterSeconds > 0) throw locked(field, retryAfterSeconds);
      const tried = withTry(member, clock.nowMs());
      unit.saveStaff(tried);
      return tried;
    });
  }

  function refuse(staffId: string, actor: string, field: string): never {
    journal.commit((unit) =>
      unit.appendAudit({ at: nowIso(clock), actor, action: 'PIN_WRONG', subjectId: staffId, text: 'A wrong PIN.' }),
    );
    const now = journal.findStaff(staffId);
    const retryAfterSeconds = now === undefined ? 0 : lockedForSeconds(now, clock.nowMs());
    if (retryAfterSeconds > 0) {
      log.warn('A PIN is locked after wrong ones.', { reason: staffId });
      throw locked(field, retryAfterSeconds);
    }
    throw wrong(field);
  }

  return async (staffId, pin, field) => {
    const tried = takeTry(staffId, field);
    if (!(await isRightPin(pin, tried.pinHash))) refuse(staffId, `console:${tried.name}`, field);
    return journal.commit((unit) => {
      const now = unit.findStaff(staffId);
      // Changed while the PIN was being checked: the new one counts.
      if (now === undefined || !isActive(now, settings.training) || now.pinHash !== tried.pinHash) throw wrong(field);
      const known = withoutTries(now);
      unit.saveStaff(known);
      return known;
    });
  };
}

function wrong(field: string): ConsoleError {
  return new ConsoleError('PIN_WRONG', 'the PIN is not right', { field });
}

function locked(field: string, retryAfterSeconds: number): ConsoleError {
  const details = { retryAfterSeconds };
  return new ConsoleError('PIN_LOCKED', 'too many wrong PINs; wait before the next one', { field, details });
}
