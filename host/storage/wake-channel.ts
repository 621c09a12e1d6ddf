import pg from 'pg';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';

/** Carries wake-ups between the processes of the host: a lost one changes nothing but the time. */
export interface WakeChannel {
  /** Tells every other process. Never rejects. */
  publish(payload: string): Promise<void>;
  close(): Promise<void>;
}

interface ChannelDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Tells apart what this process has said itself. */
  readonly processId: string;
  readonly onWake: (payload: string) => void;
  /** It listens again after a break: something may have been missed. */
  readonly onMissed: () => void;
}

const CHANNEL = 'till_host_wake';
const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds before a broken connection is made again. */
const RETRY_MS = 2_000;

/** LISTEN and NOTIFY over a connection of its own. A database that is away is waited for. */
export function openWakeChannel(databaseUrl: string, deps: ChannelDeps): WakeChannel {
  const { clock, log, processId } = deps;
  let client: pg.Client | undefined;
  let isClosed = false;
  let hasListened = false;
  let cancelRetry = () => {};

  const connect = async () => {
    const next = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    const lose = (reason: string) => {
      next.removeAllListeners('notification');
      if (client === next) client = undefined;
      if (isClosed) return;
      log.warn('wake-ups of other processes are not heard', { reason });
      cancelRetry();
      cancelRetry = clock.after(RETRY_MS, () => void connect());
    };
    let isOver = false;
    const end = (reason: string) => {
      if (isOver) return;
      isOver = true;
      lose(reason);
      void next.end().catch(() => undefined);
    };
    next.on('error', (error) => end(error.message));
    next.on('end', () => end('the connection ended'));
    next.on('notification', ({ payload = '' }) => {
      const own = `${processId} `;
      if (payload.startsWith(own)) return;
      deps.onWake(payload.slice(payload.indexOf(' ') + 1));
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      if (isClosed) return end('closed');
      client = next;
      if (hasListened) deps.onMissed();
      hasListened = true;
    } catch (error) {
      end(error instanceof Error ? error.message : 'no connection');
    }
  };
  let connecting = connect();

  return {
    async publish(payload) {
      try {
        await client?.query('SELECT pg_notify($1, $2)', [CHANNEL, `${processId} ${payload}`]);
      } catch (error) {
        log.warn('a wake-up was not told to other processes', { reason: error instanceof Error ? error.message : '' });
      }
    },
    async close() {
      isClosed = true;
      cancelRetry();
      await connecting;
      connecting = Promise.resolve();
      await client?.end().catch(() => undefined);
    },
  };
}
