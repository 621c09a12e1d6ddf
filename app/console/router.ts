import type { ConsoleAnswer } from '../contract/console/channel.ts';
import type { Procedure } from '../contract/console/procedure.ts';
import {
  isProcedureName,
  type ProcedureName,
  type ProcedureRequest,
  procedures,
} from '../contract/console/procedures.ts';
import { ConsoleError, refusalOf } from '../contract/console/refusal.ts';
import { BridgeError } from '../contract/errors.ts';
import { validate, validateRequest } from '../contract/validate.ts';
import { isActive, type StaffMember } from '../domain/staff.ts';
import { type ApprovalCheck, createApprovalCheck } from './approval.ts';
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts';
import type { ConsoleCall, Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { PinCheck } from './pin-check.ts';
import { refuseCardNumbers } from './refuse-card-numbers.ts';

/** The one door of the console: nothing reaches a handler that it has not judged. Never rejects. */
export interface ConsoleRouter {
  call(session: BrowserSession, name: string, request: unknown): Promise<ConsoleAnswer<unknown>>;
}

interface RouterParts {
  readonly sessions: BrowserSessions;
  readonly checkPin: PinCheck;
  readonly handlers: Handlers;
}

/** Known → role → schema → approval → handler → schema. */
export function createConsoleRouter(deps: ConsoleDeps, parts: RouterParts): ConsoleRouter {
  const { journal, ids, log, settings } = deps;
  const { sessions, handlers } = parts;
  const checkApproval: ApprovalCheck = createApprovalCheck(deps, parts.checkPin);

  function callerOf(session: BrowserSession): StaffMember | undefined {
    const staffId = session.staffId();
    const member = staffId === undefined ? undefined : journal.findStaff(staffId);
    if (member !== undefined && isActive(member, settings.training)) return member;
    sessions.signOut(session.sessionId, 'STAFF_CHANGED');
    return undefined;
  }

  async function run<Name extends ProcedureName>(
    name: Name,
    session: BrowserSession,
    given: unknown,
    requestId: string,
  ): Promise<unknown> {
    const procedure: Procedure = procedures[name];
    const caller = callerOf(session);
    requireRole(procedure, caller);
    // Somebody is there, and the screen stays unlocked for as long as a payment runs.
    const end = procedure.kind === 'COMMAND' ? sessions.begin(session.sessionId) : () => {};
    try {
      return await judged(name, session, caller, given, requestId);
    } finally {
      end();
    }
  }

  async function judged<Name extends ProcedureName>(
    name: Name,
    session: BrowserSession,
    caller: StaffMember | undefined,
    given: unknown,
    requestId: string,
  ): Promise<unknown> {
    const procedure: Procedure = procedures[name];
    const request = validateRequest(procedures[name].request, given) as ProcedureRequest<Name>;
    if (procedure.kind === 'COMMAND') refuseCardNumbers(request);
    const approver = caller === undefined ? undefined : await checkApproval(procedure, name, caller, request);
    const call: ConsoleCall = { sessionId: session.sessionId, caller, actor: actorOf(caller, approver), requestId };
    return checkedAnswer(procedure, await handlers[name](call, request));
  }

  return {
    async call(session, name, request) {
      const requestId = ids.next();
      try {
        if (!isProcedureName(name)) throw new BridgeError('NOT_FOUND', 'there is no procedure of this name');
        return { ok: true, value: await run(name, session, request, requestId) };
      } catch (error) {
        return { ok: false, refusal: refusalOf(tellable(error, requestId)) };
      }
    },
  };

  function tellable(error: unknown, requestId: string): BridgeError {
    if (error instanceof BridgeError) return error;
    const isError = error instanceof Error;
    log.error('a call of the console failed unexpectedly', {
      requestId,
      reason: isError ? error.message : 'not an error object',
      ...(isError && error.stack !== undefined ? { stack: error.stack } : {}),
    });
    return new BridgeError('INTERNAL', `the call failed; the log has it under request id ${requestId}`);
  }
}

/** @throws Error for an answer that its own schema refuses: a defect of ours, not of the request */
function checkedAnswer(procedure: Procedure, answer: unknown): unknown {
  try {
    return validate(procedure.response, answer);
  } catch (error) {
    throw new Error('an answer does not fit its schema', { cause: error });
  }
}

function requireRole(procedure: Procedure, caller: StaffMember | undefined): void {
  if (procedure.roles === 'ANYONE') return;
  if (caller === undefined) throw new ConsoleError('SIGN_IN_REQUIRED', 'sign in first');
  if (!procedure.roles.includes(caller.role)) {
    throw new ConsoleError('ROLE_NOT_ALLOWED', 'this needs another role');
  }
}

function actorOf(caller: StaffMember | undefined, approver: StaffMember | undefined): string {
  if (caller === undefined) return 'console';
  return approver === undefined ? `console:${caller.name}` : `console:${caller.name} approved by ${approver.name}`;
}
