import { MAX_STAFF } from '../contract/console/console-limits.ts';
import { ConsoleError } from '../contract/console/refusal.ts';
import type { Role } from '../contract/console/roles.ts';
import { BridgeError } from '../contract/errors.ts';
import type { Secret } from '../domain/secret.ts';
import { type AuditAction, isActive, type StaffMember, withoutTries } from '../domain/staff.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { hashPin } from './pins.ts';

interface NewMember {
  readonly name: string;
  readonly role: Role;
  readonly pin: Secret<string>;
}

/** The staff and the rules that it keeps: one name for one active person, and never no administrator. Each change is audited with its commit. */
export interface StaffBook {
  /** Who can sign in here, by name. */
  active(): readonly StaffMember[];
  everybody(): readonly StaffMember[];
  hasAdministrator(): boolean;
  /** @param guard asked inside the commit; what it throws stops it. @throws ConsoleError NAME_TAKEN; BridgeError INVALID_REQUEST */
  create(member: NewMember, actor: string, guard?: () => void): Promise<StaffMember>;
  /** @throws ConsoleError NAME_TAKEN, LAST_ADMINISTRATOR; BridgeError NOT_FOUND, ILLEGAL_STATE */
  update(staffId: string, change: { readonly name?: string; readonly role?: Role }, actor: string): StaffMember;
  /** @throws BridgeError NOT_FOUND, ILLEGAL_STATE */
  setPin(staffId: string, pin: Secret<string>, actor: string): Promise<StaffMember>;
  /** @throws ConsoleError LAST_ADMINISTRATOR; BridgeError NOT_FOUND, ILLEGAL_STATE */
  deactivate(staffId: string, actor: string): StaffMember;
}

export function createStaffBook({ journal, clock, ids, settings }: ConsoleDeps): StaffBook {
  const byName = (a: StaffMember, b: StaffMember) => a.name.localeCompare(b.name, 'en');

  function active(reader: JournalReader = journal): readonly StaffMember[] {
    return reader.listStaff().filter((member) => isActive(member, settings.training));
  }

  function hasAdministrator(reader: JournalReader = journal): boolean {
    return active(reader).some((member) => member.role === 'ADMIN');
  }

  function requireFreeName(unit: JournalUnit, name: string, exceptStaffId?: string): void {
    const wanted = name.normalize('NFC').toLowerCase();
    const holder = active(unit).find((member) => member.name.normalize('NFC').toLowerCase() === wanted);
    if (holder === undefined || holder.staffId === exceptStaffId) return;
    throw new ConsoleError('NAME_TAKEN', 'somebody else has this name', { field: 'name' });
  }

  function requireActive(unit: JournalUnit, staffId: string): StaffMember {
    const member = unit.findStaff(staffId);
    if (member === undefined) throw new BridgeError('NOT_FOUND', 'nobody has this id', { field: 'staffId' });
    if (member.trainingOnly) throw new BridgeError('ILLEGAL_STATE', 'the administrator of training cannot be changed');
    if (member.deactivatedAt !== undefined) throw new BridgeError('ILLEGAL_STATE', 'this member has left');
    return member;
  }

  /** Saves a changed member with its audit line. @throws ConsoleError LAST_ADMINISTRATOR when the change would leave none */
  function save(unit: JournalUnit, member: StaffMember, action: AuditAction, actor: string, text: string): StaffMember {
    const had = hasAdministrator(unit);
    unit.saveStaff(member);
    unit.appendAudit({ at: nowIso(clock), actor, action, subjectId: member.staffId, text });
    if (had && !hasAdministrator(unit)) throw new ConsoleError('LAST_ADMINISTRATOR', 'one administrator must stay');
    return member;
  }

  return {
    active: () => [...active()].sort(byName),
    everybody: () => [...journal.listStaff()].sort(byName),
    hasAdministrator: () => hasAdministrator(),
    async create({ name, role, pin }, actor, guard = () => {}) {
      const pinHash = await hashPin(pin, ids);
      return journal.commit((unit) => {
        guard();
        if (unit.listStaff().length >= MAX_STAFF) throw new BridgeError('ILLEGAL_STATE', 'the staff list is full');
        requireFreeName(unit, name);
        const member: StaffMember = {
          staffId: ids.next(),
          name,
          role,
          pinHash,
          wrongPins: 0,
          createdAt: nowIso(clock),
          trainingOnly: false,
        };
        return save(unit, member, 'STAFF_CREATED', actor, `${name}, ${role}.`);
      });
    },
    update: (staffId, { name, role }, actor) =>
      journal.commit((unit) => {
        const before = requireActive(unit, staffId);
        if (name !== undefined) requireFreeName(unit, name, staffId);
        const member = { ...before, name: name ?? before.name, role: role ?? before.role };
        const text = `${before.name}, ${before.role} became ${member.name}, ${member.role}.`;
        return save(unit, member, 'STAFF_UPDATED', actor, text);
      }),
    async setPin(staffId, pin, actor) {
      const pinHash = await hashPin(pin, ids);
      return journal.commit((unit) => {
        const member = withoutTries({ ...requireActive(unit, staffId), pinHash });
        return save(unit, member, 'PIN_SET', actor, `${member.name} has a new PIN.`);
      });
    },
    deactivate: (staffId, actor) =>
      journal.commit((unit) => {
        const member = { ...requireActive(unit, staffId), deactivatedAt: nowIso(clock) };
        return save(unit, member, 'STAFF_DEACTIVATED', actor, `${member.name} has left.`);
      }),
  };
}
