import { ConsoleError } from '../contract/console/refusal.ts';
import type { SessionState } from '../contract/console/session.ts';
import { BridgeError } from '../contract/errors.ts';
import { Secret } from '../domain/secret.ts';
import { isActive, type StaffMember } from '../domain/staff.ts';
import { terminalInfoOf } from '../services/terminal-info.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { type ConsoleCall, contextOf, type Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import type { PinCheck } from './pin-check.ts';
import type { StaffBook } from './staff-book.ts';
import { defaultFirst, labelOf } from './terminal-labels.ts';
import { trainingName, trainingPin } from './training-staff.ts';

type SessionHandlers = Pick<
  Handlers,
  'session.state' | 'session.createFirstAdministrator' | 'session.signIn' | 'session.signOut' | 'session.touch'
>;

interface SessionParts {
  readonly sessions: BrowserSessions;
  readonly staff: StaffBook;
  readonly checkPin: PinCheck;
}

/** Who is signed in, and what the frame of the console shows. */
export function createSessionHandlers(deps: ConsoleDeps, { sessions, staff, checkPin }: SessionParts): SessionHandlers {
  const { till, journal, clock, settings } = deps;

  function state(call: ConsoleCall): SessionState {
    const active = staff.active();
    const ready = active.find((member) => member.trainingOnly);
    return {
      training: settings.training,
      firstStart: !staff.hasAdministrator(),
      ...(call.caller === undefined ? {} : { signedIn: signedInOf(call.caller) }),
      staff: active.map(({ staffId, name }) => ({ staffId, name })),
      ...(ready === undefined || !settings.showTrainingHint
        ? {}
        : { trainingStaff: { staffId: ready.staffId, name: trainingName, pin: trainingPin } }),
      terminals: defaultFirst(
        till.terminals().map((terminal) => ({
          ...terminalInfoOf(terminal),
          ...labelOf(deps.settingsStore.current(), terminal.terminalId),
          status: till.knownHealth(contextOf(call, 'session.state', { terminalId: terminal.terminalId })),
        })),
      ),
      merchantName: settings.merchantName,
      timeZone: settings.timeZone,
      ...(settings.language === undefined ? {} : { language: settings.language }),
      supportContact: settings.supportContact,
      holdDays: settings.holdDays,
      lockAfterSeconds: settings.lockAfterSeconds,
    };
  }

  function signIn(sessionId: string, staffId: string) {
    const at = nowIso(clock);
    const member = journal.commit((unit) => {
      const found = unit.findStaff(staffId);
      if (found === undefined || !isActive(found, settings.training)) {
        throw new ConsoleError('PIN_WRONG', 'the PIN is not right', { field: 'pin' });
      }
      const known: StaffMember = { ...found, lastSignInAt: at };
      unit.saveStaff(known);
      const actor = `console:${known.name}`;
      unit.appendAudit({ at, actor, action: 'SIGNED_IN', subjectId: staffId, text: 'Signed in at the console.' });
      return known;
    });
    sessions.signIn(sessionId, staffId);
    return signedInOf(member);
  }

  return {
    'session.state': state,
    async 'session.createFirstAdministrator'(call, { name, pin }) {
      const member = await staff.create({ name, role: 'ADMIN', pin: new Secret(pin) }, 'console', requireFirstStart);
      return signIn(call.sessionId, member.staffId);
    },
    async 'session.signIn'(call, { staffId, pin }) {
      const member = await checkPin(staffId, new Secret(pin), 'pin');
      return signIn(call.sessionId, member.staffId);
    },
    'session.signOut'(call) {
      sessions.signOut(call.sessionId, 'SIGNED_OUT');
      return {};
    },
    // The door has noted the touch already.
    'session.touch': () => ({}),
  };

  /** Asked in the commit that makes the administrator: of two at once only one is the first. */
  function requireFirstStart(): void {
    if (staff.hasAdministrator()) throw new BridgeError('ILLEGAL_STATE', 'there is an administrator already');
  }
}

function signedInOf({ staffId, name, role }: StaffMember) {
  return { staffId, name, role };
}
