import type { WebSocket } from '@fastify/websocket';
import { BridgeError } from '../../../app/contract/errors.ts';
import { MAX_BODY_BYTES } from '../../../app/contract/limits.ts';
import type { ClientAction, ReplayAction } from '../../../app/contract/session.ts';
import type { TillAction } from '../../../app/http/action-body.ts';
import { logUnexpected } from '../../../app/http/errors.ts';
import type { RunningCalls } from '../../../app/http/running-calls.ts';
import {
  type Addressee,
  readMessage,
  refusalOf,
  repeatedResultOf,
  tellableError,
} from '../../../app/http/session-messages.ts';
import { closeCodes, createSocketLink, type SocketLink } from '../../../app/http/socket-link.ts';
import { type TokenBuckets, takeToken } from '../../../app/http/token-buckets.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import type { TerminalEvent, TerminalEvents } from '../../ports/terminal-events.ts';
import { credentialHash } from '../../services/credentials.ts';
import type { Host, PosCaller, PosKeyHolder } from '../../services/host.ts';
import { callOfAction, callOfReplay, refusalIn } from './session-calls.ts';
import type { PosSessionSettings } from './session-settings.ts';

export interface PosSessionDeps {
  readonly host: Pick<Host, 'posClientOf' | 'posClientOfHash' | 'posCall' | 'posTerminal'>;
  readonly events: TerminalEvents;
  readonly clock: Clock;
  readonly log: Log;
  readonly buckets: TokenBuckets;
  readonly calls: RunningCalls;
  readonly settings: PosSessionSettings;
}

export interface PosSessionOpening {
  readonly socket: WebSocket;
  /** Null for a browser that says with its first message who it is. */
  readonly holder: PosKeyHolder | null;
  readonly requestId: string;
  /** False when the client has too many sessions. */
  readonly admit: (caller: PosCaller) => boolean;
}

/** One WebSocket session of a POS at the cloud's address. */
export interface PosSession {
  caller(): PosCaller | null;
  /** Called every pingIntervalMs. */
  heartbeat(): void;
  readonly link: SocketLink;
}

const encoder = new TextEncoder();
const revoked = 'the POS key was revoked';

export function posBucketOf({ merchantId, clientId }: PosCaller): string {
  return `pos ${JSON.stringify([merchantId, clientId])}`;
}

/**
 * Runs a session as the till does at its own address (decisions: WebSocket, Cloud POS). An action is the call that does the same, so that it meets
 * what guards the money of calls; what comes of it are the events of its terminal.
 */
export function createPosSession(deps: PosSessionDeps, opening: PosSessionOpening): PosSession {
  const { host, clock, log, settings } = deps;
  const { socket } = opening;
  const link = createSocketLink(socket, clock, settings);
  /** Terminal → first event that was sent as it happened, so that a replay as the first action fills the gap before it only. */
  const firstLive = new Map<string, number>();
  let holder: PosKeyHolder | undefined;
  let inTurn: Promise<void> = Promise.resolve();
  let waitingMessages = 0;
  let messageCount = 0;
  let actionCount = 0;
  let badMessagesInARow = 0;
  let runningActions = 0;
  let isFirstOpen = true;
  let checkedAtMs = clock.monotonicMs();
  let cancelAuthTimer = (): void => {};
  let stopListening = (): void => {};

  function admit(newcomer: PosKeyHolder): void {
    cancelAuthTimer();
    if (!link.isOpen()) return;
    if (!opening.admit(newcomer.caller)) {
      link.close(closeCodes.policy, 'too many sessions of this client');
      return;
    }
    holder = newcomer;
    stopListening = deps.events.listen(newcomer.caller.merchantId, deliver);
  }

  function deliver(event: TerminalEvent, text: Uint8Array): void {
    if (isFirstOpen && !firstLive.has(event.terminalId)) firstLive.set(event.terminalId, event.sequence);
    link.send(text);
  }

  function send(message: object): void {
    link.send(encoder.encode(JSON.stringify(message)));
  }

  function refuse(error: unknown, addressee: Addressee, requestId: string): void {
    if (!(error instanceof BridgeError)) logUnexpected(error, requestId, log);
    const told = tellableError(error, requestId);
    log.info('action refused', { requestId, code: told.code });
    send(refusalOf(told, addressee, clock.nowMs()));
  }

  /** A client that sends nothing but what is refused is shut out. */
  function refuseBad(error: unknown, addressee: Addressee, requestId: string): void {
    refuse(error, addressee, requestId);
    badMessagesInARow += 1;
    if (badMessagesInARow >= settings.maxBadMessages) link.close(closeCodes.policy, 'too many refused messages');
  }

  async function authenticate(text: Uint8Array): Promise<void> {
    const message = readMessage(text);
    const key = 'action' in message && message.action.action === 'auth' ? message.action.token : undefined;
    const caller = key === undefined ? undefined : await host.posClientOf(key);
    if (key !== undefined && caller !== undefined) admit({ keyHash: credentialHash(key), caller });
    else link.close(closeCodes.unauthenticated, 'the first message must be auth with a valid POS key');
  }

  async function replay(action: ReplayAction, caller: PosCaller, requestId: string, isFirst: boolean): Promise<void> {
    try {
      const { terminalId } = await host.posTerminal(caller, action.terminalId);
      const answer = await host.posCall(caller, callOfReplay(action.after, terminalId, requestId));
      const refusal = refusalIn(answer);
      if (refusal !== undefined) throw refusal;
      const { data }: { readonly data: readonly TerminalEvent[] } = JSON.parse(answer.body);
      const before = isFirst ? (firstLive.get(terminalId) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
      for (const event of data) if (event.sequence < before) send({ ...event, terminalId });
    } finally {
      if (isFirst) isFirstOpen = false;
    }
  }

  async function act(action: TillAction, caller: PosCaller, addressee: Addressee, requestId: string): Promise<void> {
    isFirstOpen = false;
    const currency =
      action.action === 'card_read' ? (await host.posTerminal(caller, action.terminalId)).currency : undefined;
    const answer = await host.posCall(caller, callOfAction(action, requestId, currency));
    const refusal = refusalIn(answer);
    if (refusal !== undefined) throw refusal;
    if (answer.headers['idempotent-replayed'] === 'true') send(repeatedResultOf(answer.body, addressee, clock.nowMs()));
  }

  async function run(action: ClientAction, caller: PosCaller, addressee: Addressee, requestId: string): Promise<void> {
    if (action.action === 'auth') throw new BridgeError('INVALID_REQUEST', 'the session is authenticated already');
    actionCount += 1;
    if (deps.calls.isClosing()) throw new BridgeError('JOURNAL_UNAVAILABLE', 'the host is being stopped');
    if (runningActions >= settings.maxRunningActions) {
      throw new BridgeError('RATE_LIMITED', 'too many actions run at once', { details: { retryAfterSeconds: 1 } });
    }
    const end = deps.calls.begin();
    runningActions += 1;
    try {
      if (action.action === 'replay') await replay(action, caller, requestId, actionCount === 1);
      else await act(action, caller, addressee, requestId);
    } finally {
      runningActions -= 1;
      end();
    }
  }

  function onAction(text: Uint8Array, caller: PosCaller): void {
    messageCount += 1;
    const requestId = `${opening.requestId}.${messageCount}`;
    const message = readMessage(text);
    try {
      takeToken(deps.buckets, posBucketOf(caller));
      if (!('action' in message)) throw message.error;
    } catch (error) {
      refuseBad(error, message.addressee, requestId);
      return;
    }
    badMessagesInARow = 0;
    const { addressee } = message;
    run(message.action, caller, addressee, requestId).catch((error: unknown) => refuse(error, addressee, requestId));
  }

  /** A key that works no more is refused from the next message on. */
  async function look(data: Uint8Array, isBinary: boolean): Promise<void> {
    if (!link.isOpen()) return;
    if (holder === undefined) await authenticate(data);
    else if ((await host.posClientOfHash(holder.keyHash)) === undefined)
      link.close(closeCodes.unauthenticated, revoked);
    else if (isBinary) refuseBad(new BridgeError('INVALID_REQUEST', 'messages are text'), {}, opening.requestId);
    else onAction(data, holder.caller);
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (!link.isOpen() || !(data instanceof Uint8Array)) return;
    if (data.length > MAX_BODY_BYTES) link.close(closeCodes.tooBig, 'the message is larger than 64 KiB');
    else if (waitingMessages >= settings.maxWaitingMessages) link.close(closeCodes.tryLater, 'too many messages wait');
    else {
      waitingMessages += 1;
      inTurn = inTurn
        .then(() => look(data, isBinary))
        .catch((error: unknown) => refuse(error, {}, opening.requestId))
        .finally(() => {
          waitingMessages -= 1;
        });
    }
  }

  async function checkKey({ keyHash }: PosKeyHolder): Promise<void> {
    checkedAtMs = clock.monotonicMs();
    try {
      if ((await host.posClientOfHash(keyHash)) === undefined) link.close(closeCodes.unauthenticated, revoked);
    } catch (error) {
      log.warn('a key could not be checked', { requestId: opening.requestId, reason: String(error) });
    }
  }

  socket.on('message', onMessage);
  socket.once('close', () => {
    cancelAuthTimer();
    stopListening();
  });
  if (opening.holder !== null) admit(opening.holder);
  else {
    const giveUp = (): void => link.close(closeCodes.unauthenticated, 'no auth message in time');
    cancelAuthTimer = clock.after(settings.authTimeoutMs, giveUp);
  }

  return {
    caller: () => holder?.caller ?? null,
    heartbeat() {
      link.heartbeat();
      if (holder !== undefined && clock.monotonicMs() - checkedAtMs >= settings.keyCheckMs) void checkKey(holder);
    },
    link,
  };
}
