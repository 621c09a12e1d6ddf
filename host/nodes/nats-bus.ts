import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  Events,
  type Msg,
  type NatsConnection,
  NatsError,
  type Subscription,
} from 'nats';
import { BridgeError } from '../../app/contract/errors.ts';
import { createRunningCalls } from '../../app/http/running-calls.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { within } from '../services/within.ts';
import { type NatsAddress, natsServersOf } from './nats-address.ts';
import { type BusAnswer, MAX_BUS_BYTES, type NodeBus } from './node-bus.ts';

/** Milliseconds of a connect, between two tries, and between two pings; a server that leaves so many unanswered counts as gone. */
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_WAIT_MS = 500;
const PING_INTERVAL_MS = 5_000;
const MAX_UNANSWERED_PINGS = 2;

export interface NatsBusOptions extends NatsAddress {
  /** Name of this node. */
  readonly node: string;
  /** Keeps apart the hosts of several databases that share a NATS; letters and digits. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A bus over NATS core request/reply (decisions: Cloud POS). It connects again for as long as it takes. While it is away nothing is sent: a message that
 * waited for the connection would arrive when nobody stands by it any more.
 * @throws BridgeError HOST_UNREACHABLE when it cannot connect at first
 */
export async function openNatsBus(options: NatsBusOptions): Promise<NodeBus> {
  const { node, namespace, clock, log } = options;
  const connection = await connectTo(options);
  const nodeSubject = (name: string, subject: string) => `till-host.${namespace}.node.${name}.${subject}`;
  const allSubject = (subject: string) => `till-host.${namespace}.all.${subject}`;
  const listeners: ((isConnected: boolean) => void)[] = [];
  /** Ends every request that is under way: its answer does not come over a new connection. */
  const waiting = new Set<() => void>();
  const answering = new Set<Subscription>();
  const taken = createRunningCalls(clock);
  const isTooLarge = (payload: string | Uint8Array): boolean =>
    Buffer.byteLength(payload) > Math.min(MAX_BUS_BYTES, connection.info?.max_payload ?? MAX_BUS_BYTES);
  let isUp = true;
  let isClosing = false;

  function change(next: boolean, reason: string): void {
    if (isUp === next) return;
    isUp = next;
    if (!next) for (const lose of [...waiting]) lose();
    if (isClosing) return;
    if (next) log.info('NATS is back: other nodes are heard again', {});
    else log.warn('NATS is away: other nodes are not heard', { reason });
    for (const listener of listeners) listener(next);
  }
  void follow(connection, change, log);

  async function reply(message: Msg, handler: (payload: string) => Promise<string>): Promise<void> {
    try {
      const payload = await handler(message.string());
      // Without an answer its caller takes the outcome for unknown, which is the truth.
      if (isTooLarge(payload)) throw new RangeError('the answer is larger than max_payload of NATS allows');
      message.respond(payload);
    } catch (error) {
      log.warn('a message of another node was not answered', { reason: reasonOf(error) });
    }
  }

  return {
    node,
    isConnected: () => isUp && !isClosing,
    request(to, subject, payload, timeoutMs) {
      if (!isUp || isClosing || isTooLarge(payload)) return Promise.resolve({ kind: 'NOBODY' });
      return new Promise<BusAnswer>((resolve) => {
        const end = (answer: BusAnswer): void => {
          waiting.delete(lose);
          resolve(answer);
        };
        const lose = () => end({ kind: 'LOST' });
        waiting.add(lose);
        connection.request(nodeSubject(to, subject), payload, { timeout: timeoutMs }).then(
          (message) => end({ kind: 'ANSWERED', payload: message.string() }),
          (error: unknown) => end({ kind: isNobody(error) ? 'NOBODY' : 'LOST' }),
        );
      });
    },
    publish(subject, payload) {
      if (!isUp || isClosing) return;
      if (isTooLarge(payload)) log.warn('a message to other nodes is larger than max_payload of NATS allows', {});
      else connection.publish(allSubject(subject), payload);
    },
    answer(subject, handler) {
      const callback = (error: Error | null, message: Msg): void => {
        if (error === null) void reply(message, handler).finally(taken.begin());
      };
      answering.add(connection.subscribe(nodeSubject(node, subject), { callback }));
    },
    hear(subject, handler) {
      const callback = (error: Error | null, message: Msg): void => {
        if (error === null) handler(message.string());
      };
      const subscription = connection.subscribe(allSubject(subject), { callback });
      return () => subscription.unsubscribe();
    },
    onChange(listener) {
      listeners.push(listener);
    },
    async settle(boundMs) {
      const endMs = clock.monotonicMs() + boundMs;
      // What the server has passed on before it knew is taken still: dropped, it would leave its caller waiting.
      const drained = Promise.all([...answering].map((subscription) => subscription.drain().catch(() => undefined)));
      await within(clock, boundMs, drained);
      return await taken.settle(Math.max(0, endMs - clock.monotonicMs()));
    },
    async close() {
      isClosing = true;
      // A server that is away takes nothing more.
      if (isUp) await connection.drain().catch(() => connection.close());
      else await connection.close();
      for (const lose of [...waiting]) lose();
    },
  };
}

/** Where, and who this node is there. */
function addressOptions({ url, credentials }: NatsAddress): ConnectionOptions {
  const first = new URL(url.split(',')[0] ?? '');
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  return {
    servers: [...natsServersOf(url)],
    ...(first.protocol === 'tls:' ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(Buffer.from(credentials)) }),
  };
}

async function connectTo(options: NatsBusOptions): Promise<NatsConnection> {
  try {
    return await connect({
      ...addressOptions(options),
      name: `till-host ${options.node}`,
      timeout: CONNECT_TIMEOUT_MS,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: MAX_UNANSWERED_PINGS,
      noEcho: true,
    });
  } catch (error) {
    const servers = natsServersOf(options.url).join(', ');
    throw new BridgeError('HOST_UNREACHABLE', `NATS at ${servers} cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Follows the connection until it is closed. */
async function follow(
  connection: NatsConnection,
  change: (isUp: boolean, reason: string) => void,
  log: Log,
): Promise<void> {
  for await (const { type, data } of connection.status()) {
    if (type === Events.Disconnect) change(false, 'the connection broke');
    else if (type === Events.Reconnect) change(true, '');
    else if (type === Events.Error) log.warn('NATS reports an error', { code: String(data) });
  }
  change(false, 'the connection is closed');
}

/** The server knew nobody who listens: it has delivered nothing. */
function isNobody(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.NoResponders;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
