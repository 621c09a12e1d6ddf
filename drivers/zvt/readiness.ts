// The gate before a command: the terminal answers, is registered, at rest, and lacks nothing (bug reports: a status that was ignored).
import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { TerminalCommand } from '../../app/ports/terminal.ts';
import { gaveUp, pause } from '../session/give-up.ts';
import { isBusyAnswer } from './answers.ts';
import type { Attached, Attachment } from './attachment.ts';
import { judgeResultCode } from './codec/result-codes.ts';
import { terminalStatusOf } from './codec/status-tables.ts';
import { zvtLimits } from './zvt-settings.ts';

export interface ReadinessDeps {
  readonly clock: Clock;
  readonly attachment: Attachment;
  readonly signal: AbortSignal;
}

const NOT_REGISTERED = 0x6b;
const UNSUPPORTED = 0x83;
/** Each problem is repaired once: a terminal that asks for the same again is not ready. */
const MAX_REPAIRS = 4;

/** Resolves when the terminal may be given the command. The caller holds the turn. @throws BridgeError */
export async function makeReady(
  deps: ReadinessDeps,
  attached: Attached,
  operation: TerminalCommand['operation'],
): Promise<void> {
  const { attachment } = deps;
  const repaired = new Set<string>();
  let waits = 0;
  await register(attachment, attached);
  if (deps.signal.aborted) throw gaveUp();
  for (let round = 0; round < MAX_REPAIRS + zvtLimits.maxWaitRetries; round++) {
    const answer = await attachment.askStatus(attached);
    if (deps.signal.aborted) throw gaveUp();
    if (answer.kind === 'SILENT')
      throw new BridgeError('TERMINAL_UNREACHABLE', `The terminal does not answer: ${answer.words}.`);
    if (isBusyAnswer(answer)) {
      if (waits >= zvtLimits.maxWaitRetries || !(await pause(deps.clock, zvtLimits.waitRetryMs, deps.signal)))
        throw new BridgeError('TERMINAL_BUSY', 'The terminal is in the middle of something else.');
      waits++;
      continue;
    }
    if (answer.kind !== 'STATUS') {
      const code = answer.kind === 'REFUSED' ? answer.code : undefined;
      // A terminal without this command has answered, which is all that can be known of it.
      if (code === UNSUPPORTED) return;
      if (code !== NOT_REGISTERED || repaired.has('registration')) throw notReady(code);
      repaired.add('registration');
      await registerAnew(attachment, attached);
      continue;
    }
    if (await takeAction(attached, answer.code, operation, repaired)) return;
  }
  throw new BridgeError('TERMINAL_NOT_READY', 'The terminal does not become ready.');
}

function notReady(code: number | undefined): BridgeError {
  const meaning = code === undefined ? 'without a reason.' : judgeResultCode(code).meaning;
  return new BridgeError('TERMINAL_NOT_READY', `The terminal refused the status enquiry: ${meaning}`);
}

async function register(attachment: Attachment, attached: Attached): Promise<void> {
  checkRegistration(attachment, await attachment.ensureRegistered(attached));
}

async function registerAnew(attachment: Attachment, attached: Attached): Promise<void> {
  checkRegistration(attachment, await attachment.register(attached));
}

function checkRegistration(attachment: Attachment, answer: Awaited<ReturnType<Attachment['register']>>): void {
  if (answer.kind === 'REGISTERED') return;
  if (answer.kind === 'SILENT')
    throw new BridgeError('TERMINAL_UNREACHABLE', `The terminal does not answer the registration: ${answer.words}.`);
  const { problem } = attachment.state();
  throw problem === undefined
    ? new BridgeError('TERMINAL_BUSY', 'The terminal is in the middle of something else.')
    : new BridgeError('TERMINAL_NOT_READY', problem);
}

/** True when ready; does what the status asks for where the till may. @throws BridgeError */
async function takeAction(
  attached: Attached,
  code: number,
  operation: TerminalCommand['operation'],
  repaired: Set<string>,
): Promise<boolean> {
  const { isReady, action, meaning } = terminalStatusOf(code);
  if (isReady) return true;
  const words = `The terminal reports ${code.toString(16).toUpperCase().padStart(2, '0')}: ${meaning}.`;
  if (action === 'ask-for-day-close') {
    // Never closed by the driver itself: that would close the batch behind the journal.
    if (operation === 'DAY_CLOSE') return true;
    throw new BridgeError('TERMINAL_NOT_READY', `${words} Close the day, then try again.`);
  }
  if (action === 'remove-card')
    throw new BridgeError('TERMINAL_NOT_READY', `${words} Remove the card, then try again.`);
  if ((action !== 'initialise' && action !== 'diagnose') || repaired.has(action))
    throw new BridgeError('TERMINAL_NOT_READY', words);
  repaired.add(action);
  const answer = await attached.questions.repair(action === 'initialise' ? 'initialisation' : 'diagnosis');
  if (answer.kind === 'SILENT') throw new BridgeError('TERMINAL_UNREACHABLE', `${words} It did not answer the repair.`);
  return false;
}
