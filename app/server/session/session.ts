import type { WebSocket } from '@fastify/websocket';
import { BridgeError } from '../../contract/errors.ts';
import { MAX_EVENT_PAGE_ITEMS } from '../../contract/limits.ts';
import type { ClientAction, ReplayAction, TransactionEvent } from '../../contract/session.ts';
import type { TillAction } from '../../http/action-body.ts';
import { logUnexpected } from '../../http/errors.ts';
import type { RunningCalls } from '../../http/running-calls.ts';
import {
  type ActionName,
  type Addressee,
  readMessage,
  refusalOf,
  repeatedResultOf,
  tellableError,
} from '../../http/session-messages.ts';
import { closeCodes, createSocketLink, type SocketLink } from '../../http/socket-link.ts';
import { type TokenBuckets, takeToken } from '../../http/token-buckets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { RequestLog } from '../../ports/request-log.ts';
import type { Credentials, Till } from '../../services/till.ts';
import { callerOf, clientBucket, type PosCaller } from '../plugins/admission.ts';
import { type AllowedOrigins, isAllowedOrigin } from '../plugins/origin-check.ts';
import type { SessionSettings } from '../server-options.ts';
import { beginAction, type EndAction } from './action-record.ts';
import { contextOfAction, runAction } from './actions.ts';

export interface SessionDeps {
  readonly till: Till;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the console looks at what was asked for. */
  readonly requests: RequestLog;
  readonly buckets: TokenBuckets;
  readonly calls: RunningCalls;
  readonly allowedOrigins: AllowedOrigins;
  readonly settings: SessionSettings;
}

export interface SessionOpening {
  readonly socket: WebSocket;
  /** Null for a browser that says with its first message who it is. */
  readonly caller: PosCaller | null;
  readonly requestId: string;
  /** Of the web page that opened it; absent for a program. */
  readonly origin?: string;
  /** Called once when the caller is known; false when the client has too many sessions. */
  readonly admit: (caller: PosCaller) => boolean;
}

/** One WebSocket session of one client. */
export interface Session {
  caller(): PosCaller | null;
  /** Sends an event that happened just now; `text` is its JSON, made once for all sessions. */
  deliver(event: TransactionEvent, text: Uint8Array): void;
  /** Called every pingIntervalMs. */
  heartbeat(): void;
  readonly link: SocketLink;
}

const encoder = new TextEncoder();
const originGone = 'pages of this origin are no longer allowed';

/** Runs a session from its opening to its end (specification: Events; decisions: WebSocket). */
export function createSession(deps: SessionDeps, opening: SessionOpening): Session {
  const { clock, settings } = deps;
  const link = createSocketLink(opening.socket, clock, settings);
  /** Terminal → first event that was sent as it happened; until the first action, so that a replay fills the gap before it only. */
  const firstLive = new Map<string, number>();
  let caller: PosCaller | null = null;
  let messageCount = 0;
  let actionCount = 0;
  let badMessagesInARow = 0;
  let runningActions = 0;
  let cancelAuthTimer = (): void => {};

  function admit(newcomer: PosCaller): void {
    cancelAuthTimer();
    if (opening.admit(newcomer)) caller = newcomer;
    else link.close(closeCodes.policy, 'too many sessions of this client');
  }

  function send(message: object): void {
    link.send(encoder.encode(JSON.stringify(message)));
  }

  function begin(name: ActionName | undefined, requestId: string, by = caller): EndAction {
    return beginAction(deps.requests, clock, { name, caller: by, requestId, origin: opening.origin });
  }

  function refuse(error: unknown, addressee: Addressee, requestId: string): void {
    if (!(error instanceof BridgeError)) logUnexpected(error, requestId, deps.log);
    send(refusalOf(tellableError(error, requestId), addressee, clock.nowMs()));
  }

  /** A message that should not have been sent. A client that sends nothing else is shut out. */
  function refuseBad(error: unknown, addressee: Addressee, requestId: string): void {
    refuse(error, addressee, requestId);
    badMessagesInARow += 1;
    if (badMessagesInARow >= settings.maxBadMessages) link.close(closeCodes.policy, 'too many refused messages');
  }

  function authenticate(text: Uint8Array): void {
    const message = readMessage(text);
    try {
      if (!('action' in message) || message.action.action !== 'auth')
        throw new BridgeError('UNAUTHENTICATED', 'auth first');
      const newcomer = callerOf(message.action.token, deps.credentials);
      admit(newcomer);
      begin(message.name, opening.requestId, newcomer)();
    } catch (error) {
      begin(message.name, opening.requestId)(error);
      link.close(closeCodes.unauthenticated, 'the first message must be auth with a valid POS key');
    }
  }

  function replay(action: ReplayAction, known: PosCaller, requestId: string): void {
    const context = {
      clientId: known.clientId,
      actor: `pos:${known.name}`,
      requestId,
      route: 'GET /v1/events',
      ...(action.terminalId === undefined ? {} : { terminalId: action.terminalId }),
    };
    const isFirstAction = actionCount === 1;
    const isMissed = (event: TransactionEvent): boolean =>
      !isFirstAction || event.sequence < (firstLive.get(event.terminalId) ?? Number.POSITIVE_INFINITY);
    const missed = deps.till.eventsAfter(context, action.after).filter(isMissed);
    for (const event of missed.slice(0, MAX_EVENT_PAGE_ITEMS)) send(event);
  }

  async function run(
    action: TillAction,
    known: PosCaller,
    addressee: Addressee,
    requestId: string,
    tell: EndAction,
  ): Promise<void> {
    const end = deps.calls.begin();
    runningActions += 1;
    try {
      const answer = await runAction(deps.till, action, contextOfAction(action, known, requestId));
      if (answer?.replayed === true) send(repeatedResultOf(answer.body, addressee, clock.nowMs()));
      tell();
    } catch (error) {
      refuse(error, addressee, requestId);
      tell(error);
    } finally {
      runningActions -= 1;
      end();
    }
  }

  function dispatch(
    action: ClientAction,
    known: PosCaller,
    addressee: Addressee,
    requestId: string,
    tell: EndAction,
  ): void {
    if (action.action === 'auth') throw new BridgeError('INVALID_REQUEST', 'the session is authenticated already');
    actionCount += 1;
    if (action.action === 'replay') {
      replay(action, known, requestId);
      tell();
      return;
    }
    if (deps.calls.isClosing()) throw new BridgeError('TERMINAL_NOT_READY', 'the till is being closed');
    if (runningActions >= settings.maxRunningActions) {
      throw new BridgeError('RATE_LIMITED', 'too many actions run at once', { details: { retryAfterSeconds: 1 } });
    }
    void run(action, known, addressee, requestId, tell);
  }

  function onAction(text: Uint8Array, known: PosCaller): void {
    messageCount += 1;
    const requestId = `${opening.requestId}.${messageCount}`;
    const message = readMessage(text);
    const tell = begin(message.name, requestId);
    try {
      takeToken(deps.buckets, clientBucket(known.clientId));
      if (!('action' in message)) throw message.error;
    } catch (error) {
      refuseBad(error, message.addressee, requestId);
      tell(error);
      return;
    }
    badMessagesInARow = 0;
    try {
      dispatch(message.action, known, message.addressee, requestId, tell);
    } catch (error) {
      refuse(error, message.addressee, requestId);
      tell(error);
    }
  }

  /** The operator may have taken the page's origin from the list since. */
  function isOriginGone(): boolean {
    return opening.origin !== undefined && !isAllowedOrigin(opening.origin, deps.allowedOrigins);
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (!link.isOpen() || !(data instanceof Uint8Array)) return;
    if (isOriginGone()) link.close(closeCodes.policy, originGone);
    else if (caller === null) authenticate(data);
    else if (!isStillValid(caller, deps.credentials)) link.close(closeCodes.unauthenticated, 'the POS key was revoked');
    else if (isBinary) refuseBad(new BridgeError('INVALID_REQUEST', 'messages are text'), {}, opening.requestId);
    else onAction(data, caller);
  }

  opening.socket.on('message', onMessage);
  opening.socket.once('close', () => cancelAuthTimer());
  if (opening.caller !== null) admit(opening.caller);
  else {
    const giveUp = (): void => link.close(closeCodes.unauthenticated, 'no auth message in time');
    cancelAuthTimer = clock.after(settings.authTimeoutMs, giveUp);
  }

  return {
    caller: () => caller,
    deliver(event, text) {
      if (caller === null) return;
      if (actionCount === 0 && !firstLive.has(event.terminalId)) firstLive.set(event.terminalId, event.sequence);
      link.send(text);
    },
    heartbeat() {
      link.heartbeat();
      if (isOriginGone()) link.close(closeCodes.policy, originGone);
      if (caller !== null && !isStillValid(caller, deps.credentials)) {
        link.close(closeCodes.unauthenticated, 'the POS key was revoked');
      }
    },
    link,
  };
}

function isStillValid(caller: PosCaller, credentials: Credentials): boolean {
  return credentials.clientOf(caller.key.reveal()) !== undefined;
}
