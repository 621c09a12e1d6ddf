import type { StaffView } from '../contract/console/staff.ts';
import { Secret } from '../domain/secret.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { Handlers } from './call.ts';
import type { StaffBook } from './staff-book.ts';

type StaffHandlers = Pick<
  Handlers,
  'staff.list' | 'staff.create' | 'staff.update' | 'staff.setPin' | 'staff.deactivate'
>;

/** The staff, for administrators. A change of role or PIN ends the member's sign-ins at other screens. */
export function createStaffHandlers(staff: StaffBook, sessions: BrowserSessions): StaffHandlers {
  return {
    'staff.list': () => {
      const everybody = staff.everybody();
      const hasLeft = (member: StaffMember) => member.deactivatedAt !== undefined;
      const inOrder = [...everybody.filter((member) => !hasLeft(member)), ...everybody.filter(hasLeft)];
      return { staff: inOrder.map(viewOf) };
    },
    'staff.create': async (call, { name, role, pin }) =>
      viewOf(await staff.create({ name, role, pin: new Secret(pin) }, call.actor)),
    'staff.update'(call, { staffId, ...change }) {
      const member = staff.update(staffId, change, call.actor);
      if (change.role !== undefined) sessions.signOutStaff(staffId, call.sessionId);
      return viewOf(member);
    },
    async 'staff.setPin'(call, { staffId, pin }) {
      const member = await staff.setPin(staffId, new Secret(pin), call.actor);
      sessions.signOutStaff(staffId, call.sessionId);
      return viewOf(member);
    },
    'staff.deactivate'(call, { staffId }) {
      const member = staff.deactivate(staffId, call.actor);
      sessions.signOutStaff(staffId, '');
      return viewOf(member);
    },
  };
}

/** Nothing of the PIN. */
function viewOf(member: StaffMember): StaffView {
  const { staffId, name, role, createdAt, trainingOnly, deactivatedAt, lastSignInAt, lockedUntil } = member;
  return {
    staffId,
    name,
    role,
    createdAt,
    trainingOnly,
    ...(deactivatedAt === undefined ? {} : { deactivatedAt }),
    ...(lastSignInAt === undefined ? {} : { lastSignInAt }),
    ...(lockedUntil === undefined ? {} : { lockedUntil }),
  };
}
