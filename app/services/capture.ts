import { BridgeError } from '../contract/errors.ts';
import type { CaptureRequest } from '../contract/transactions.ts';
import { captureBegun, checkTipCapture, isCaptureOwed } from '../domain/tip-capture.ts';
import type { CaptureRefusal, TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { TipCaptures } from '../ports/tip-captures.ts';
import { createDeadline, type Deadline, within } from './deadline.ts';
import { type Engine, nowIso, requireRunning, seenBy } from './engine.ts';
import type { Reservation } from './idempotency-gate.ts';
import { responseOf } from './response.ts';
import type { Answer, CallContext } from './till.ts';

interface CaptureCall {
  readonly context: CallContext;
  readonly transactionId: string;
  readonly request: CaptureRequest;
  readonly deadline: Deadline;
  readonly captureId: string;
  readonly reservation: Reservation | undefined;
}

type Capture = (context: CallContext, transactionId: string, request: CaptureRequest) => Promise<Answer>;

const NOT_KNOWN_YET =
  'Tip and capture are on disk and go to the host until it takes them; look the transaction up, and do not enter the tip anew.';

/**
 * The tip capture of a sale that our host holds (decisions: Tip after authorization, Day close): the intent and what the host is owed for it are one
 * commit; then the host is told, under keys that it was written with, until it is known what became of it.
 */
export function createCapture(engine: Engine): Capture {
  const { journal, clock, ids, settings, tipCaptures } = engine.deps;
  /** Those who wait for a change, by transaction. */
  const waiting = new Map<string, Set<() => void>>();
  tipCaptures?.subscribe(onChange);
  engine.stopping.addEventListener('abort', () => [...waiting.keys()].forEach(wake));

  async function capture(context: CallContext, transactionId: string, request: CaptureRequest): Promise<Answer> {
    const { terminalId } = requireThere(seenBy(context, journal.findTransaction(transactionId)));
    const deadline = createDeadline(clock, context.timeoutSeconds);
    const captureId = ids.next();
    const laterAnswer = (subjectId: string) => answerOf(journal.findTransaction(transactionId), subjectId);
    const keyed = { context, terminalId, body: request, deadline, subjectId: captureId, transactionId, laterAnswer };
    try {
      return await engine.gate.once(keyed, (reservation) =>
        start({ context, transactionId, request, deadline, captureId, reservation }),
      );
    } finally {
      deadline.cancel();
    }
  }

  async function start(call: CaptureCall): Promise<Answer> {
    requireRunning(engine);
    const { transactionId, deadline } = call;
    const host = requireHost(tipCaptures, transactionId);
    const captureId = begin(call, host);
    await untilEnded(transactionId, deadline, host);
    return endOf(requireKnown(journal, transactionId), captureId);
  }

  /** @returns the capture that is under way: this one, or an earlier one with the same tip */
  function begin(call: CaptureCall, host: TipCaptures): string {
    const { context, transactionId, request, reservation } = call;
    const known = requireKnown(journal, transactionId);
    return engine.events.commit(known.terminalId, (unit) => {
      const record = requireKnown(unit, transactionId);
      const tipAmountMinor = request.tipAmount ?? tipOf(record);
      const { captureId = call.captureId } = record.tipCapture ?? {};
      if (checkTipCapture(record, unit.dependentsOf(transactionId).voidedBy, tipAmountMinor) === 'JOIN')
        return captureId;
      host.check(record, tipAmountMinor);
      const at = nowIso(engine);
      const begun = captureBegun(record, { captureId: call.captureId, tipAmountMinor, actor: context.actor }, at);
      unit.saveTransaction(begun);
      host.noteBegun(unit, begun);
      if (reservation !== undefined)
        unit.reserveIdempotency({ ...reservation, subjectId: call.captureId, createdAt: at });
      return call.captureId;
    });
  }

  /** Waits until it is known what became of it, as long as that can come in the time of the call. */
  async function untilEnded(transactionId: string, deadline: Deadline, host: TipCaptures): Promise<void> {
    let isReached = true;
    void host.send(transactionId).then((reached) => {
      isReached = reached;
      wake(transactionId);
    });
    const isOpen = () => isReached && isCaptureOwed(requireKnown(journal, transactionId));
    while (isOpen() && deadline.remainingMs() > 0 && !engine.stopping.aborted) {
      await within(clock, deadline.remainingMs(), changeOf(transactionId));
    }
  }

  function changeOf(transactionId: string): Promise<true> {
    return new Promise((resolve) => {
      const others = waiting.get(transactionId) ?? new Set();
      waiting.set(
        transactionId,
        others.add(() => resolve(true)),
      );
    });
  }

  function wake(transactionId: string): void {
    for (const one of waiting.get(transactionId) ?? []) one();
    waiting.delete(transactionId);
  }

  function onChange(transactionId: string): void {
    wake(transactionId);
    try {
      tell(transactionId);
    } catch (error) {
      engine.deps.log.error('The end of a capture could not be told; a look-up tells it.', {
        transactionId,
        reason: String(error),
      });
    }
  }

  /** What was captured is the truth of the sale from now on. */
  function tell(transactionId: string): void {
    const record = journal.findTransaction(transactionId);
    if (record?.tipCapture?.state !== 'CAPTURED') return;
    const { captureId } = record.tipCapture;
    engine.events.emit(record.terminalId, {
      event: 'outcome_resolved',
      transactionId,
      response: responseOf(record, settings),
    });
    if (captureId === undefined) return;
    answerOf(record, captureId);
    engine.gate.answered(captureId);
  }

  /** The answer of a capture that is done, kept from the first time that it is given. */
  function answerOf(record: TransactionRecord | undefined, captureId: string): Answer | undefined {
    if (record?.tipCapture?.state !== 'CAPTURED' || record.tipCapture.captureId !== captureId) return undefined;
    const body = JSON.stringify(responseOf(record, settings));
    journal.commit((unit) => unit.saveAnswer(captureId, { statusCode: 200, body }));
    return { statusCode: 200, body, transactionId: record.transactionId, replayed: false };
  }

  function endOf(record: TransactionRecord, captureId: string): Answer {
    const { transactionId, tipCapture } = record;
    const done = answerOf(record, captureId);
    if (done !== undefined) return done;
    if (tipCapture?.refusal !== undefined && tipCapture.captureId === captureId)
      throw refused(transactionId, tipCapture.refusal);
    return { statusCode: 200, body: JSON.stringify(unknownOf(record)), transactionId, replayed: false };
  }

  /** The sale stands; whether its tip and its capture do is not known yet (decisions: Final status). */
  function unknownOf(record: TransactionRecord) {
    return responseOf(
      {
        ...record,
        state: 'ERROR',
        errorCode: 'OUTCOME_UNKNOWN',
        errorMessage: NOT_KNOWN_YET,
        outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence: NOT_KNOWN_YET },
      },
      settings,
    );
  }

  return capture;
}

/** The tip without another: what is under way, or what was authorized. */
function tipOf({ tipCapture, tipAmountMinor }: TransactionRecord): number {
  return tipCapture?.state === 'OWED' ? (tipCapture.tipAmountMinor ?? tipAmountMinor) : tipAmountMinor;
}

/** @throws BridgeError NOT_FOUND */
function requireKnown(reader: JournalReader, transactionId: string): TransactionRecord {
  return requireThere(reader.findTransaction(transactionId));
}

/** @throws BridgeError NOT_FOUND */
function requireThere(record: TransactionRecord | undefined): TransactionRecord {
  if (record === undefined) throw new BridgeError('NOT_FOUND', 'there is no transaction with this id');
  return record;
}

/** @throws BridgeError ILLEGAL_STATE: what a terminal authorizes with its own acquirer is captured at once with its tip */
function requireHost(host: TipCaptures | undefined, transactionId: string): TipCaptures {
  if (host !== undefined) return host;
  throw new BridgeError('ILLEGAL_STATE', 'this transaction does not wait for a tip capture', {
    details: { transactionId },
  });
}

/** Refusals that mean to a POS what they mean to the till; any other is the till's trouble. */
const toldCodes: readonly CaptureRefusal['errorCode'][] = [
  ...(['TIP_ADJUST_NOT_SUPPORTED', 'ALREADY_COMPLETED', 'ALREADY_VOIDED', 'ALREADY_SETTLED'] as const),
  ...(['AUTH_EXPIRED', 'INVALID_REQUEST', 'CAPTURE_EXCEEDS_AUTHORIZATION', 'AMOUNT_TOO_LARGE'] as const),
];

function refused(transactionId: string, { errorCode, message }: CaptureRefusal): BridgeError {
  const code = toldCodes.includes(errorCode) ? errorCode : 'ILLEGAL_STATE';
  return new BridgeError(code, `the host has refused: ${message}`, { details: { transactionId } });
}
