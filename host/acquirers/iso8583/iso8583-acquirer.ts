import type { HostTransactionType } from '../../../app/contract/host/authorize.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import type {
  Acceptor,
  Acquirer,
  AcquirerCall,
  AcquirerCapabilities,
  FollowUpMessage,
  Lost,
  MessageKind,
  MessageTrace,
  NotSent,
} from '../../ports/acquirer.ts';
import { createLateAnswers } from '../late-answers.ts';
import type { LineAddress } from '../line/acquirer-line.ts';
import { createPendingAnswers } from '../line/pending-answers.ts';
import {
  closeBatchReply,
  type IsoAnswer,
  type IsoSent,
  moneyAnswer,
  moneyReply,
  readAnswer,
  reversalReply,
  strayAnswer,
} from './answers.ts';
import { type IsoMessage, renderForLog, textOf } from './codec.ts';
import { DE } from './fields.ts';
import { createIsoLink } from './iso-link.ts';
import {
  adviceMessage,
  answerMti,
  authorizeMessage,
  closeBatchMessage,
  type IsoOrigin,
  refundMessage,
  reversalMessage,
  voidMessage,
} from './messages.ts';

/** Twelve digits of DE 4. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
const DEFAULT_AUTHORIZATION_DAYS = 7;

export interface Iso8583Settings {
  /** Institution of the acquirer, DE 32: up to eleven digits. */
  readonly acquirerId: string;
  /** Terminal (DE 41, 8 characters) and merchant (DE 42, 15) as the acquirer knows them; undefined where it knows none. The host's own names where left out. */
  readonly acceptorOf?: (acceptor: Acceptor) => Acceptor | undefined;
  /** Whether 0220 with processing code 02 is understood; true where left out. */
  readonly canAdjustTips?: boolean;
  readonly authorizationValidDays?: number;
}

export interface Iso8583Deps {
  readonly clock: Clock;
  readonly log: Log;
}

/** An acquirer that speaks ISO 8583:1987 over TCP, in the dialect of docs/reference/iso8583.md. */
export function createIso8583Acquirer(
  address: LineAddress,
  settings: Iso8583Settings,
  { clock, log }: Iso8583Deps,
): Acquirer {
  const { acquirerId, acceptorOf = (acceptor: Acceptor) => acceptor } = settings;
  const capabilities: AcquirerCapabilities = {
    canAdjustTips: settings.canAdjustTips ?? true,
    canAsk: false,
    canInquireBalance: false,
    hasOwnReversalRepeats: false,
    maxAmountMinor: MAX_AMOUNT_MINOR,
    authorizationValidDays: settings.authorizationValidDays ?? DEFAULT_AUTHORIZATION_DAYS,
    isSimulated: false,
  };
  const pending = createPendingAnswers<IsoAnswer, IsoSent>(clock);
  const late = createLateAnswers(log);
  const link = createIsoLink({
    address,
    clock,
    log,
    onMessage: (message) => receive(message),
    onLost: () => pending.loseAll('LINE_LOST'),
  });

  const receive = (message: IsoMessage) => {
    const answer = readAnswer(message);
    if (answer === undefined) {
      log.error('an answer that names no message', { protocol: 'iso8583', reason: renderForLog(message) });
      return;
    }
    const key = keyOf(answer.mti, answer.stan, answer.terminal);
    const sent = pending.noteOf(key);
    const isOurs = sent !== undefined && (answer.time === undefined || answer.time === sent.time);
    const settling = isOurs ? pending.settle(key, answer) : ({ kind: 'UNKNOWN' } as const);
    if (settling.kind === 'UNKNOWN') tellStray(answer);
    if (settling.kind === 'LATE') tellLate(answer, settling.note);
  };
  const tellStray = (answer: IsoAnswer) => {
    log.error('an answer to no message of this process', {
      protocol: 'iso8583',
      command: answer.mti,
      sequence: answer.stan,
      code: answer.responseCode,
    });
    if (!moneyAnswers.has(answer.mti)) return;
    late.tell({ stan: answer.stan, terminalId: answer.terminal, answer: strayAnswer(answer) });
  };
  const tellLate = (answer: IsoAnswer, { kind, reference, stan, terminalId, ...sent }: IsoSent) => {
    // A reversal and a close are repeated until they are answered.
    if (kind === 'REVERSE' || kind === 'CLOSE_BATCH') return;
    const read = moneyAnswer(answer, { kind, reference, stan, terminalId, ...sent }) ?? strayAnswer(answer);
    late.tell({ reference, stan, terminalId, kind, answer: read });
  };

  /** Builds, sends and waits. */
  const exchange = async (
    {
      trace,
      kind,
      operation,
      ...host
    }: Acceptor & Pick<IsoSent, 'kind' | 'operation'> & { readonly trace: MessageTrace },
    build: (origin: IsoOrigin, isRepeat: boolean) => IsoMessage,
    call: AcquirerCall,
  ): Promise<{ readonly answer: IsoAnswer; readonly sent: IsoSent } | NotSent | Lost> => {
    if (call.signal.aborted) return notSent('ABORTED');
    if (!link.isReady()) return notSent('LINE_DOWN');
    const acceptor = acceptorOf(host);
    const message =
      acceptor === undefined ? undefined : fitting(() => build({ acceptor, acquirerId }, call.isRepeat === true));
    if (acceptor === undefined || message === undefined) return notSent('DOES_NOT_FIT');
    const sent: IsoSent = {
      reference: trace.reference,
      kind,
      operation,
      stan: trace.stan,
      terminalId: host.terminalId,
      sentAtMs: trace.sentAtMs,
      time: textOf(message, DE.transmissionTime) ?? '',
      terminal: acceptor.terminalId,
      processingCode: textOf(message, DE.processingCode),
    };
    const key = keyOf(answerMti(message.mti), trace.stan, acceptor.terminalId);
    if (!pending.canExpect(key, (other) => other.reference === trace.reference)) return notSent('BUSY');
    const isTaken = fitting(() => link.send(message));
    if (isTaken === undefined) return notSent('DOES_NOT_FIT');
    if (!isTaken) return notSent('LINE_DOWN');
    const waited = await pending.expect(key, sent, call);
    return waited.kind === 'ANSWER' ? { answer: waited.answer, sent } : waited;
  };
  /** Undefined when something does not fit into its field; the log names it. */
  const fitting = <Value>(make: () => Value): Value | undefined => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      log.error(`a message is not sent: ${error.message}`, { protocol: 'iso8583' });
      return undefined;
    }
  };
  const exchangeMoney = async (...of: Parameters<typeof exchange>) => {
    const result = await exchange(...of);
    return 'kind' in result ? result : moneyReply(result.answer, result.sent);
  };
  const about = (
    { merchantId, terminalId, trace }: Acceptor & { readonly trace: MessageTrace },
    kind: MessageKind,
    operation: HostTransactionType,
  ) => ({
    merchantId,
    terminalId,
    trace,
    kind,
    operation,
  });
  const followUp = (kind: MessageKind, message: FollowUpMessage) =>
    about(message, kind, kind === 'REFUND' ? 'refund' : message.original.operation);

  return {
    capabilities,
    async start() {
      link.start();
    },
    async stop() {
      await link.stop();
      pending.loseAll('LINE_LOST');
    },
    isReady: link.isReady,
    onLateAnswer: late.subscribe,
    authorize: (message, call) =>
      exchangeMoney(
        about(message, 'AUTHORIZE', message.operation),
        (origin, isRepeat) => authorizeMessage(message, origin, isRepeat),
        call,
      ),
    capture: (message, call) =>
      exchangeMoney(
        followUp('CAPTURE', message),
        (origin, isRepeat) => adviceMessage('CAPTURE', message, origin, isRepeat),
        call,
      ),
    async adjustTip(message, call) {
      if (!capabilities.canAdjustTips) return notSent('UNSUPPORTED');
      return exchangeMoney(
        followUp('ADJUST_TIP', message),
        (origin, isRepeat) => adviceMessage('ADJUST_TIP', message, origin, isRepeat),
        call,
      );
    },
    void: (message, call) =>
      exchangeMoney(followUp('VOID', message), (origin, isRepeat) => voidMessage(message, origin, isRepeat), call),
    refund: (message, call) =>
      exchangeMoney(followUp('REFUND', message), (origin, isRepeat) => refundMessage(message, origin, isRepeat), call),
    async reverse(message, call) {
      const of = about(message, 'REVERSE', message.original.operation);
      const result = await exchange(of, (origin, isRepeat) => reversalMessage(message, origin, isRepeat), call);
      return 'kind' in result ? result : reversalReply(result.answer, result.sent);
    },
    async ask() {
      return notSent('UNSUPPORTED');
    },
    async closeBatch(message, call) {
      const of = about(message, 'CLOSE_BATCH', 'purchase');
      const result = await exchange(of, (origin, isRepeat) => closeBatchMessage(message, origin, isRepeat), call);
      return 'kind' in result ? result : closeBatchReply(result.answer, result.sent);
    },
  };
}

/** Answers that may tell of money: authorizations, financial requests, advices, and reversal requests, which voids are. */
const moneyAnswers: ReadonlySet<string> = new Set(['0110', '0210', '0230', '0410']);

function notSent(reason: NotSent['reason']): NotSent {
  return { kind: 'NOT_SENT', reason };
}

/** Type of the answer, trace number, terminal: never the order in which answers come. */
function keyOf(mti: string, stan: number, terminal: string): string {
  return `${mti} ${stan} ${terminal}`;
}
