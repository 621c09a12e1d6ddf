import { type Static, Type } from 'typebox';
import { dateTime } from '../parts.ts';
import { Nothing, Pin, StaffId, StaffName, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { administratorOnly, Role } from './roles.ts';

/** A member of the staff as administrators see it. Nothing of the PIN is in it. */
export const StaffView = strictObject(
  {
    staffId: StaffId,
    name: StaffName,
    role: Role,
    createdAt: dateTime('When, ISO 8601.'),
    deactivatedAt: Type.Optional(dateTime('When the member left; can no longer sign in. ISO 8601.')),
    lastSignInAt: Type.Optional(dateTime('Last sign-in, ISO 8601.')),
    lockedUntil: Type.Optional(dateTime('Until when no PIN is taken, after wrong ones; ISO 8601.')),
    trainingOnly: Type.Boolean({ description: 'True for the ready administrator of training.' }),
  },
  'A member of the staff.',
);
export type StaffView = Static<typeof StaffView>;

export const staffProcedures = {
  'staff.list': {
    kind: 'LOOK_UP',
    roles: administratorOnly,
    request: Nothing,
    response: strictObject({ staff: Type.Array(StaffView) }, 'Everybody, by name; those who left last.'),
  },
  'staff.create': {
    kind: 'COMMAND',
    roles: administratorOnly,
    request: strictObject({ name: StaffName, role: Role, pin: Pin }, 'A new member.'),
    response: StaffView,
  },
  'staff.update': {
    kind: 'COMMAND',
    roles: administratorOnly,
    request: strictObject(
      { staffId: StaffId, name: Type.Optional(StaffName), role: Type.Optional(Role) },
      'What changes.',
    ),
    response: StaffView,
  },
  /** Also ends a lock after wrong PINs, and the member's sign-ins elsewhere. */
  'staff.setPin': {
    kind: 'COMMAND',
    roles: administratorOnly,
    request: strictObject({ staffId: StaffId, pin: Pin }, 'A new PIN.'),
    response: StaffView,
  },
  'staff.deactivate': {
    kind: 'COMMAND',
    roles: administratorOnly,
    request: strictObject({ staffId: StaffId }, 'Who leaves.'),
    response: StaffView,
  },
} as const satisfies Record<string, Procedure>;
