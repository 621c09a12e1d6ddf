import { type Static, Type } from 'typebox';
import { count } from '../parts.ts';
import { Language, Nothing, Pin, SignedIn, StaffId, StaffName, SupportContact, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';
import { TerminalView } from './terminals.ts';

export const SessionState = strictObject(
  {
    training: Type.Boolean({ description: 'True where no real money can move.' }),
    firstStart: Type.Boolean({ description: 'True until the first administrator is made.' }),
    signedIn: Type.Optional(SignedIn),
    staff: Type.Array(strictObject({ staffId: StaffId, name: StaffName }, 'Somebody who can sign in.'), {
      description: 'Who can sign in, by name.',
    }),
    trainingStaff: Type.Optional(
      strictObject({ staffId: StaffId, name: StaffName, pin: Pin }, 'The ready administrator of a training till.'),
    ),
    terminals: Type.Array(TerminalView, { description: 'The terminals, as they are known now.' }),
    merchantName: Type.String({ description: 'Name of the shop.' }),
    timeZone: Type.String({ description: 'Time zone of the shop, IANA name.' }),
    language: Type.Optional(Language),
    supportContact: SupportContact,
    holdDays: count('Days for which the bank usually keeps a hold.'),
    lockAfterSeconds: count('Seconds without a touch after which the screen locks.'),
  },
  'What the frame of the console shows, signed in or not.',
);
export type SessionState = Static<typeof SessionState>;

export const sessionProcedures = {
  'session.state': { kind: 'LOOK_UP', roles: 'ANYONE', request: Nothing, response: SessionState },
  /** Only while `firstStart`; signs the new administrator in. */
  'session.createFirstAdministrator': {
    kind: 'COMMAND',
    roles: 'ANYONE',
    request: strictObject({ name: StaffName, pin: Pin }, 'The first administrator.'),
    response: SignedIn,
  },
  'session.signIn': {
    kind: 'COMMAND',
    roles: 'ANYONE',
    request: strictObject({ staffId: StaffId, pin: Pin }, 'Who signs in.'),
    response: SignedIn,
  },
  'session.signOut': { kind: 'COMMAND', roles: everyRole, request: Nothing, response: Nothing },
  /** Somebody touched the screen: called at most every few seconds, so that it does not lock under a person's hands. */
  'session.touch': { kind: 'COMMAND', roles: everyRole, request: Nothing, response: Nothing },
} as const satisfies Record<string, Procedure>;
