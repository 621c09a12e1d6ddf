import { looksLikeCardNumber } from '../../app/contract/card-number.ts';
import { type EndpointId, endpointOf } from '../../app/contract/endpoints.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import type { LinkCall } from '../../app/contract/host/link.ts';
import { MAX_CALL_TIMEOUT_SECONDS } from '../../app/contract/limits.ts';
import { requestHash, scopeText } from '../../app/domain/idempotency.ts';
import type { CloudCallRecord, CloudCallRef, TerminalRecord } from '../ports/host-records.ts';
import type { CallResult, TerminalCalls } from '../ports/terminal-calls.ts';
import {
  answerLost,
  changeLost,
  hostView,
  isDefinitive,
  isRefusal,
  isRunning,
  notLinked,
  replayed,
  requestText,
} from './cloud-answers.ts';
import type { PosAnswer, PosCall, PosCaller, PosCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { IDEMPOTENCY_RETRY_AFTER_SECONDS, TILL_CALL_OVER_MS, TILL_GRACE_MS, TILL_LOOK_UP_MS } from './host-limits.ts';
import { pickTerminal } from './picked-terminal.ts';
import { within } from './within.ts';

interface CloudDeps extends Pick<HostDeps, 'store' | 'clock' | 'ids' | 'log' | 'hmac'> {
  readonly calls: TerminalCalls;
}

/** Calls that start a transaction: the host names it before the till hears of it. */
const starting: ReadonlySet<EndpointId> = new Set<EndpointId>([
  ...(['pos.sale', 'pos.preAuth', 'pos.preAuthComplete', 'pos.refund', 'pos.void', 'pos.initiate'] as const),
]);

/** One call on its way to a till. */
interface Passage {
  readonly caller: PosCaller;
  readonly call: PosCall;
  readonly terminal: TerminalRecord;
}

interface Running {
  readonly hash: string;
  readonly answer: Promise<PosAnswer>;
}

/**
 * The POS API at the cloud's address: each call goes to the till that holds its terminal, at most once (decisions: Cloud POS). What moves money is
 * written down before it leaves; what may have reached the till is looked up, and never sent again.
 */
export function createCloudCalls(deps: CloudDeps): PosCalls {
  const { store, clock, ids, log, hmac, calls } = deps;
  // Bounded by the calls that run.
  const running = new Map<string, Running>();
  const startedHere = new Set<string>();

  /** @throws BridgeError NOT_FOUND for a terminal of somebody else; INVALID_REQUEST where one must be named */
  async function terminalOf({ merchantId }: PosCaller, { terminalId, namedTransactionId }: PosCall) {
    const named = terminalId === undefined ? namedTransactionId : undefined;
    const known = named === undefined ? undefined : await store.read.findCloudCallOf(merchantId, named);
    return await pickTerminal(store.read, merchantId, terminalId ?? known?.terminalId);
  }

  async function pass({ caller, call, terminal }: Passage, transactionId?: string): Promise<CallResult> {
    const { endpoint, url, idempotencyKey, timeoutSeconds, body, eventRequestId } = call;
    const message: LinkCall = {
      ...{
        event: 'call',
        callId: ids.next(),
        terminalId: terminal.terminalId,
        clientId: caller.clientId,
        clientName: caller.name,
      },
      ...{ method: endpoint.method === 'GET' ? 'GET' : 'POST', path: url },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds: String(timeoutSeconds) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(eventRequestId === undefined ? {} : { eventRequestId }),
      ...(transactionId === undefined ? {} : { transactionId }),
    };
    const waitMs = endpoint.waitsForTerminal ? tillMs(call) + TILL_GRACE_MS : TILL_LOOK_UP_MS;
    try {
      return await calls.call(terminal, message, waitMs);
    } catch (error) {
      log.error('a call to a till has failed', { terminalId: terminal.terminalId, reason: String(error) });
      return { kind: 'LOST' };
    }
  }

  /** What moves no money is asked, and may be asked again. */
  async function ask(passage: Passage): Promise<PosAnswer> {
    const { endpoint, namedTransactionId } = passage.call;
    const result = await pass(passage);
    if (result.kind === 'ANSWERED') return result.answer;
    if (result.kind === 'NOT_LINKED') throw notLinked();
    const isQuestion = endpoint.method === 'GET' || namedTransactionId === undefined;
    throw isQuestion ? answerLost() : changeLost(namedTransactionId);
  }

  async function lookUp(passage: Passage, transactionId: string): Promise<PosAnswer> {
    const { merchantId } = passage.caller;
    const known = await store.read.findCloudCallOf(merchantId, transactionId);
    const record = known?.state === 'ASSIGNED' ? undefined : known;
    const result = await pass(passage);
    if (result.kind === 'ANSWERED') {
      const isEarly = record !== undefined && clock.nowMs() - record.createdAtMs < TILL_CALL_OVER_MS;
      // The till may not have begun with what it was sent a moment ago.
      return isEarly && result.answer.statusCode === 404 ? viewOf(record) : result.answer;
    }
    if (record !== undefined) return viewOf(record);
    throw result.kind === 'NOT_LINKED' ? notLinked() : answerLost();
  }

  function viewOf(record: CloudCallRecord): PosAnswer {
    const { 'idempotent-replayed': _again, ...headers } = replayed(record)?.headers ?? {};
    if (record.answer !== undefined) return { ...record.answer, headers, transactionId: record.transactionId };
    return hostView(record, startedHere.has(record.transactionId) ? 'IN_PROGRESS' : 'ERROR');
  }

  /** Of several calls under one key one is sent; the others get its answer. */
  async function once(passage: Passage): Promise<PosAnswer> {
    const { caller, call, terminal } = passage;
    const { clientId, merchantId } = caller;
    const { terminalId } = terminal;
    const { route, idempotencyKey: given } = call;
    const key = given === undefined ? ids.next() : looksLikeCardNumber(given) ? hmac(given) : given;
    const ref = { merchantId, clientId, terminalId, route, key };
    const hash = requestHash(scopeText({ clientId, terminalId, route }), call.body, hmac);
    const slot = JSON.stringify(Object.values(ref));
    const first = running.get(slot);
    if (first !== undefined) return await join(first, hash, call);
    const answer = begin(passage, ref, hash).finally(() => running.delete(slot));
    running.set(slot, { hash, answer });
    return await answer;
  }

  async function join(first: Running, hash: string, call: PosCall): Promise<PosAnswer> {
    if (first.hash !== hash) throw keyReused();
    const answer = await within(clock, tillMs(call), first.answer);
    if (answer === undefined) throw stillRunning(undefined);
    if (!isDefinitive(answer)) return answer;
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
  }

  async function begin(passage: Passage, ref: CloudCallRef, hash: string): Promise<PosAnswer> {
    const request = requestText(passage.call, passage.terminal);
    const made = { ...ref, requestHash: hash, transactionId: ids.next(), request, createdAtMs: clock.nowMs() };
    const { record, isOurs } = await store.transact(async (unit) => {
      if (await unit.addCloudCall(made)) return { record: { ...made, state: 'SENT' as const }, isOurs: true };
      const found = await unit.findCloudCall(ref);
      if (found === undefined) throw new TypeError('an id was drawn twice');
      if (found.requestHash !== hash) throw keyReused();
      const isFree = found.state === 'ASSIGNED' && (await unit.moveCloudCall(ref, 'ASSIGNED', { state: 'SENT' }));
      return { record: found, isOurs: isFree };
    });
    return isOurs ? await send(passage, record) : await again(passage, record);
  }

  /** SENT is on disk: from here on a crash leaves a call that is looked up. */
  async function send(passage: Passage, record: CloudCallRecord): Promise<PosAnswer> {
    const { transactionId } = record;
    const { endpoint, namedTransactionId } = passage.call;
    const starts = starting.has(endpoint.id);
    startedHere.add(transactionId);
    try {
      const result = await pass(passage, starts ? transactionId : undefined);
      if (result.kind === 'NOT_LINKED') {
        await takeBack(passage, record);
        throw notLinked();
      }
      if (result.kind === 'LOST') {
        if (!starts) throw changeLost(namedTransactionId);
        return hostView(record, 'ERROR');
      }
      await keep(record, result.answer);
      return { ...result.answer, transactionId: starts ? transactionId : (namedTransactionId ?? transactionId) };
    } finally {
      startedHere.delete(transactionId);
    }
  }

  /** Nothing was sent: the key keeps its id, and is free. */
  async function takeBack({ call }: Passage, record: CloudCallRecord): Promise<void> {
    await store.transact(async (unit) => {
      if (call.idempotencyKey === undefined) await unit.releaseCloudCall(record);
      else await unit.moveCloudCall(record, 'SENT', { state: 'ASSIGNED' });
    });
  }

  /** The POS gets its answer also where it cannot be kept; a repeat looks it up then. */
  async function keep(record: CloudCallRecord, answer: PosAnswer): Promise<void> {
    const { statusCode, body } = answer;
    try {
      await store.transact(async (unit) => {
        if (isRefusal(answer)) await unit.releaseCloudCall(record);
        if (isDefinitive(answer))
          await unit.moveCloudCall(record, 'SENT', { state: 'ANSWERED', answer: { statusCode, body } });
      });
    } catch (error) {
      log.error('the answer of a till was not kept', { transactionId: record.transactionId, reason: String(error) });
    }
  }

  /** A repeat of a call that has left: the first answer, or what the till knows of it. */
  async function again(passage: Passage, record: CloudCallRecord): Promise<PosAnswer> {
    const kept = replayed(record);
    if (kept !== undefined) return kept;
    const { endpoint, namedTransactionId } = passage.call;
    if (!starting.has(endpoint.id)) throw changeLost(namedTransactionId);
    const { transactionId } = record;
    const { caller, terminal } = passage;
    const question: PosCall = {
      ...{ endpoint: endpointOf('transactions.get'), requestId: passage.call.requestId },
      ...{ route: `GET /v1/transactions/${transactionId}`, url: `/v1/transactions/${transactionId}` },
    };
    const result = await pass({ caller, terminal, call: question });
    if (result.kind !== 'ANSWERED' || result.answer.statusCode !== 200) return hostView(record, 'ERROR');
    if (isRunning(result.answer)) throw stillRunning(transactionId);
    if (!isDefinitive(result.answer)) return { ...result.answer, transactionId };
    await keep(record, result.answer);
    return replayed({ ...record, answer: result.answer }) ?? result.answer;
  }

  return {
    async posCall(caller, call) {
      const { endpoint, namedTransactionId } = call;
      const passage = { caller, call, terminal: await terminalOf(caller, call) };
      if (endpoint.movesMoney) return await once(passage);
      if (endpoint.id === 'transactions.get' && namedTransactionId !== undefined)
        return await lookUp(passage, namedTransactionId);
      return await ask(passage);
    },
  };
}

/** Milliseconds that the till has for the call. */
function tillMs({ timeoutSeconds = MAX_CALL_TIMEOUT_SECONDS }: PosCall): number {
  return timeoutSeconds * 1_000;
}

function keyReused(): BridgeError {
  return new BridgeError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used for another request');
}

function stillRunning(transactionId: string | undefined): BridgeError {
  return new BridgeError('IDEMPOTENCY_IN_PROGRESS', 'the first call with this Idempotency-Key is still running', {
    details: {
      ...(transactionId === undefined ? {} : { transactionId }),
      retryAfterSeconds: IDEMPOTENCY_RETRY_AFTER_SECONDS,
    },
  });
}
