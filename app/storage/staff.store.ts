import { Role } from '../contract/console/roles.ts';
import { validate } from '../contract/validate.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  staff_id: string;
  name: string;
  role: string;
  pin_hash: string;
  wrong_pins: number;
  locked_until: string | null;
  created_at: string;
  deactivated_at: string | null;
  last_sign_in_at: string | null;
  training_only: number;
}

const columns =
  'staff_id, name, role, pin_hash, wrong_pins, locked_until, created_at, deactivated_at, last_sign_in_at, training_only';

/** Reads of the staff, those who left included. */
export function createStaffReader(handle: ReadHandle): Pick<JournalReader, 'listStaff' | 'findStaff'> {
  const all = handle.read<Stored>(`SELECT ${columns} FROM staff ORDER BY created_at, staff_id`);
  const one = handle.read<Stored>(`SELECT ${columns} FROM staff WHERE staff_id = ?`);
  return {
    listStaff: () => all.all().map(memberOf),
    findStaff(staffId) {
      const row = one.get(staffId);
      return row === undefined ? undefined : memberOf(row);
    },
  };
}

function memberOf(row: Stored): StaffMember {
  return {
    staffId: row.staff_id,
    name: row.name,
    role: validate(Role, row.role),
    pinHash: row.pin_hash,
    wrongPins: row.wrong_pins,
    ...(row.locked_until === null ? {} : { lockedUntil: row.locked_until }),
    createdAt: row.created_at,
    ...(row.deactivated_at === null ? {} : { deactivatedAt: row.deactivated_at }),
    ...(row.last_sign_in_at === null ? {} : { lastSignInAt: row.last_sign_in_at }),
    trainingOnly: row.training_only === 1,
  };
}

/** Writes of the staff and of the audit beside it; used only inside a commit. */
export function createStaffWriter(handle: WriteHandle): Pick<JournalUnit, 'saveStaff' | 'appendAudit'> {
  const save = handle.write(
    `INSERT INTO staff (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (staff_id) DO UPDATE SET name = excluded.name, role = excluded.role, pin_hash = excluded.pin_hash,
       wrong_pins = excluded.wrong_pins, locked_until = excluded.locked_until, deactivated_at = excluded.deactivated_at,
       last_sign_in_at = excluded.last_sign_in_at`,
  );
  const append = handle.write('INSERT INTO audit (at, actor, action, subject_id, text) VALUES (?, ?, ?, ?, ?)');
  return {
    saveStaff(member) {
      save.run(
        member.staffId,
        member.name,
        member.role,
        member.pinHash,
        member.wrongPins,
        member.lockedUntil ?? null,
        member.createdAt,
        member.deactivatedAt ?? null,
        member.lastSignInAt ?? null,
        member.trainingOnly ? 1 : 0,
      );
    },
    appendAudit({ at, actor, action, subjectId, text }) {
      append.run(at, actor, action, subjectId, text);
    },
  };
}
