import { parseStrictJson } from '../../app/contract/json.ts';
import { validate } from '../../app/contract/validate.ts';
import { holdsCardNumber } from '../../app/domain/offline-tags.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type {
  Acceptor,
  Acquirer,
  AcquirerCall,
  AcquirerCapabilities,
  AcquirerReply,
  AuthorizeMessage,
  FollowUpMessage,
  Lost,
  MessageAnswer,
  MessageKind,
  MessageTrace,
  NotSent,
} from '../ports/acquirer.ts';
import {
  ChipTags,
  lineOf,
  MAX_LINE_BYTES,
  type MoneyAnswer,
  SimulatorReply,
  type SimulatorRequest,
} from '../simulator/protocol.ts';
import { parseRule } from '../simulator/rules.ts';
import { createLateAnswers } from './late-answers.ts';
import { createAcquirerLine, type LineAddress } from './line/acquirer-line.ts';
import { createPendingAnswers } from './line/pending-answers.ts';

const LINE_FEED = 0x0a;

const capabilities: AcquirerCapabilities = {
  canAdjustTips: true,
  canAsk: true,
  canInquireBalance: false,
  hasOwnReversalRepeats: false,
  maxAmountMinor: 999_999_999_999,
  authorizationValidDays: 7,
  isSimulated: true,
};

export interface SimulatorAcquirerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Days for which a hold stands; the default where left out. */
  readonly authorizationValidDays?: number;
}

/** A message that waits or waited, for telling late answers. */
interface Note {
  readonly kind: MessageKind;
  readonly stan: number;
  readonly terminalId: string;
}

/** The client of the acquirer simulator. It opens card data only to tell which kinds there are, and what a chip has signed. */
export function createSimulatorAcquirer(
  address: LineAddress,
  { clock, log, authorizationValidDays }: SimulatorAcquirerDeps,
): Acquirer {
  const pending = createPendingAnswers<SimulatorReply, Note>(clock);
  const late = createLateAnswers(log);
  const reader = createLineReader();
  const line = createAcquirerLine(address, clock, {
    onOpen: () => {
      reader.reset();
      log.info('connected to the acquirer simulator', { port: address.port });
    },
    onBytes: (bytes) => {
      line.markSound();
      for (const text of reader.push(bytes)) receive(text);
      if (reader.isOverfull()) line.reset('a line of the simulator is too long');
    },
    onClosed: (reason) => {
      log.warn('the line to the acquirer simulator is lost', { reason });
      pending.loseAll('LINE_LOST');
    },
  });

  const receive = (text: Uint8Array) => {
    const reply = readReply(text);
    if (reply === undefined) {
      log.warn('the acquirer simulator sent what is no answer', { byteCount: text.length });
      return;
    }
    const settling = pending.settle(reply.reference, reply);
    if (settling.kind === 'MATCHED' || settling.kind === 'REPEATED' || reply.type !== 'ANSWER') return;
    const { stan, terminalId } = reply.answer;
    const known = settling.kind === 'LATE' ? settling.note : { stan, terminalId };
    late.tell({ reference: reply.reference, ...known, answer: answerOf(reply.answer) });
  };

  const exchange = async (request: SimulatorRequest, call: AcquirerCall): Promise<SimulatorReply | NotSent | Lost> => {
    if (call.signal.aborted) return { kind: 'NOT_SENT', reason: 'ABORTED' };
    if (!line.isOpen()) return { kind: 'NOT_SENT', reason: 'LINE_DOWN' };
    const bytes = Buffer.from(lineOf(request));
    if (bytes.length > MAX_LINE_BYTES) return { kind: 'NOT_SENT', reason: 'DOES_NOT_FIT' };
    const { reference, stan, terminalId, type } = request;
    if (!pending.canExpect(reference, () => true)) return { kind: 'NOT_SENT', reason: 'BUSY' };
    const waiting = pending.expect(reference, { kind: kindOf(type), stan, terminalId }, call);
    line.write(bytes);
    const waited = await waiting;
    return waited.kind === 'ANSWER' ? waited.answer : waited;
  };

  const askForMoney = async (request: SimulatorRequest, call: AcquirerCall): Promise<AcquirerReply> => {
    const reply = await exchange(request, call);
    if ('kind' in reply) return reply;
    return reply.type === 'ANSWER' ? { kind: 'ANSWERED', answer: answerOf(reply.answer) } : unreadable;
  };
  const followUp =
    (type: 'CAPTURE' | 'ADJUST_TIP' | 'VOID' | 'REFUND') => (message: FollowUpMessage, call: AcquirerCall) =>
      askForMoney(
        {
          type,
          ...envelope(message),
          amountMinor: message.amountMinor,
          currencyCode: message.currencyCode,
          originalReference: message.original.trace.reference,
        },
        call,
      );

  return {
    capabilities: {
      ...capabilities,
      authorizationValidDays: authorizationValidDays ?? capabilities.authorizationValidDays,
    },
    async start() {
      line.start();
    },
    async stop() {
      await line.stop();
      pending.loseAll('LINE_LOST');
    },
    isReady: line.isOpen,
    onLateAnswer: late.subscribe,
    authorize: (message, call) => askForMoney(authorizeRequest(message), call),
    capture: followUp('CAPTURE'),
    adjustTip: followUp('ADJUST_TIP'),
    void: followUp('VOID'),
    refund: followUp('REFUND'),
    async reverse(message, call) {
      const originalReference = message.original.trace.reference;
      const reply = await exchange(
        { type: 'REVERSE', ...envelope(message), originalReference, reason: message.reason },
        call,
      );
      if ('kind' in reply) return reply;
      if (reply.type !== 'REVERSED') return unreadable;
      return reply.result === 'REFUSED'
        ? { kind: 'REFUSED', responseCode: reply.responseCode }
        : { kind: reply.result };
    },
    async ask(message, call) {
      const originalReference = message.original.trace.reference;
      const reply = await exchange({ type: 'ASK', ...envelope(message), originalReference }, call);
      if ('kind' in reply) return reply;
      if (reply.type === 'NOT_FOUND') return { kind: 'NOT_FOUND' };
      if (reply.type !== 'FOUND') return unreadable;
      return { kind: 'FOUND', answer: answerOf(reply.answer), standing: reply.standing };
    },
    async closeBatch(message, call) {
      const { currencyCode, totals } = message;
      const reply = await exchange({ type: 'CLOSE_BATCH', ...envelope(message), currencyCode, totals }, call);
      if ('kind' in reply) return reply;
      if (reply.type === 'REFUSED') return { kind: 'REFUSED', responseCode: reply.responseCode };
      if (reply.type !== 'CLOSED') return unreadable;
      const { isAgreed, totals: counted, batchReference, fundingDate } = reply;
      return { kind: 'CLOSED', isAgreed, totals: counted, batchReference, fundingDate };
    },
  };
}

const unreadable: Lost = { kind: 'LOST', reason: 'UNREADABLE_ANSWER' };

function envelope({ trace, merchantId, terminalId }: Acceptor & { readonly trace: MessageTrace }) {
  const { reference, stan, rrn, sentAtMs } = trace;
  return { reference, stan, rrn, sentAtMs, merchantId, terminalId };
}

function authorizeRequest(message: AuthorizeMessage): SimulatorRequest {
  const { operation, captureMethod, amountMinor, currencyCode, tipMinor = 0, cashbackMinor = 0, entryMode } = message;
  const { original, simulate } = message;
  return {
    type: 'AUTHORIZE',
    ...envelope(message),
    operation,
    captureMethod,
    amountMinor,
    tipMinor,
    cashbackMinor,
    currencyCode,
    ...(entryMode === undefined ? {} : { entryMode }),
    ...kindsOf(message),
    ...(original === undefined ? {} : { originalReference: original.trace.reference }),
    // Faults of terminals are not the acquirer's to play.
    ...(simulate === undefined || parseRule(simulate) === undefined ? {} : { simulate }),
  };
}

/** Which kinds of card data there are. What leaves the process is what a chip has signed, as far as it may be stored. */
function kindsOf({ cardData, chipTags }: AuthorizeMessage) {
  const card = cardData?.reveal();
  const tags = { ...chipTags, ...card?.emvTags };
  const isClear = card?.applicationPan !== undefined || card?.track2 !== undefined;
  const account = isClear ? 'CLEAR' : card?.panEncrypted !== undefined ? 'ENCRYPTED' : 'NONE';
  return {
    account,
    hasPin: card?.pinBlock !== undefined,
    hasChipData: Object.keys(tags).length > 0,
    ...chipOf(tags),
  } as const;
}

const signedTags = Object.keys(ChipTags.properties);

/** Whole or not at all: an issuer can do nothing with less. */
function chipOf(tags: Readonly<Record<string, string>>): { readonly chip?: ChipTags } {
  const told = signedTags.map((tag) => [tag, tags[tag] ?? ''] as const);
  if (told.some(([tag, value]) => holdsCardNumber(tag, value))) return {};
  try {
    return { chip: validate(ChipTags, Object.fromEntries(told)) };
  } catch {
    return {};
  }
}

function kindOf(type: SimulatorRequest['type']): MessageKind {
  return type === 'ASK' ? 'AUTHORIZE' : type;
}

function answerOf(answer: MoneyAnswer): MessageAnswer {
  const {
    responseCode,
    rrn,
    operation,
    amountMinor,
    currencyCode,
    terminalId,
    authorizationCode,
    issuerAuthData,
    issuerScript71,
    issuerScript72,
    rule,
  } = answer;
  const isPartial = responseCode === '10';
  return {
    responseCode,
    rrn,
    echo: { operation, currencyCode, terminalId, ...(isPartial ? {} : { amountMinor }) },
    ...(isPartial ? { approvedAmountMinor: amountMinor } : {}),
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(issuerAuthData === undefined ? {} : { issuerAuthData }),
    ...(issuerScript71 === undefined ? {} : { issuerScript71 }),
    ...(issuerScript72 === undefined ? {} : { issuerScript72 }),
    ...(rule === undefined ? {} : { simulatedRule: rule }),
  };
}

function readReply(text: Uint8Array): SimulatorReply | undefined {
  try {
    return validate(SimulatorReply, parseStrictJson(text));
  } catch {
    return undefined;
  }
}

/** Splits what arrives into lines; one that is too long is never kept. */
function createLineReader() {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(bytes: Buffer): readonly Uint8Array[] {
      const lines: Uint8Array[] = [];
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
        lines.push(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
      }
      return lines;
    },
    isOverfull: () => rest.length > MAX_LINE_BYTES,
    reset() {
      rest = Buffer.alloc(0);
    },
  };
}
