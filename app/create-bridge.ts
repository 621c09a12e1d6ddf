import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { credentialsOf, ensureTrainingClient } from './config/pos-clients.ts';
import type { Settings } from './config/settings.ts';
import type { PosClient } from './domain/records.ts';
import { createFileLog } from './logs/file-log.ts';
import type { Clock } from './ports/clock.ts';
import type { Ids } from './ports/ids.ts';
import type { Journal } from './ports/journal.ts';
import type { Log } from './ports/log.ts';
import type { Terminal } from './ports/terminal.ts';
import type { TrainingControl } from './ports/training.ts';
import { buildServer } from './server/build-server.ts';
import { defaultServerSettings } from './server/server-options.ts';
import { createTill } from './services/create-till.ts';
import { createJournal } from './storage/create-journal.ts';

/** How long a stop waits for a running exchange before it leaves it to recovery. */
const stopGraceMs = 15_000;
const hmacKeyBytes = 32;
const hmacKeySetting = 'idempotency-hmac-key';

/** A terminal that the bridge is to drive; made by the caller, since drivers and their lines are not the bridge's business. */
export interface BridgeTerminal {
  readonly terminal: Terminal;
  readonly currency: string;
  /** Asked at each training payment: a terminal shows only once it is connected whether it can be armed. */
  readonly training?: () => TrainingControl | undefined;
}

export interface BridgeOptions {
  readonly dataDir: string;
  readonly settings: Settings;
  /** No real money can move. */
  readonly training: boolean;
  /** Key that the training client answers to; training only. */
  readonly trainingKey?: string;
  readonly version: string;
  readonly pid: number;
  readonly listen: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly ids: Ids;
  createTerminals(log: Log): Promise<readonly BridgeTerminal[]>;
}

/** The till as one object: everything it is made of is opened by `start` and closed by `stop`. */
export interface Bridge {
  readonly terminals: readonly BridgeTerminal[];
  /** Resolves with the POS API's address when it listens. @throws the system's error when the port is taken */
  start(): Promise<{ readonly posUrl: string }>;
  /** Accepts nothing new; a running exchange is finished or left to recovery. */
  stop(): Promise<void>;
}

/** The composition root of the till. @throws BridgeError JOURNAL_UNAVAILABLE when the data folder cannot be used or is in use */
export async function createBridge(options: BridgeOptions): Promise<Bridge> {
  const { clock, ids, settings, training } = options;
  const log = createFileLog({ directory: join(options.dataDir, 'logs'), clock });
  const journal = createJournal({ dataDir: options.dataDir, clock, log, pid: options.pid });
  if (options.trainingKey !== undefined) {
    const saveClient = (client: PosClient) => journal.commit((unit) => unit.saveClient(client));
    ensureTrainingClient(
      { clients: { listClients: journal.listClients, saveClient }, clock, ids },
      options.trainingKey,
    );
  }
  const terminals = await options.createTerminals(log);
  const till = createTill({
    journal,
    clock,
    ids,
    log,
    terminals: terminals.map((each) => attached(each, training)),
    hmac: keyedHash(journal, ids),
    settings: {
      merchantId: settings.merchantId,
      merchantName: settings.merchantName,
      timeZone: settings.timeZone,
      dayCutOff: settings.dayCutOff,
      stopGraceMs,
    },
  });
  const server = await buildServer(
    { till, credentials: credentialsOf(journal, training), clock, ids, log },
    { ...defaultServerSettings, version: options.version, training, allowedOrigins: settings.allowedOrigins },
  );
  return {
    terminals,
    start: async () => {
      till.start();
      return { posUrl: await server.listen(options.listen) };
    },
    stop: async () => {
      // The server stops taking calls first; the engine then ends what runs, so that waiting callers still get their answers.
      await Promise.all([server.close(), till.stop()]);
      journal.close();
      log.close();
    },
  };
}

function attached(each: BridgeTerminal, training: boolean) {
  return {
    terminal: each.terminal,
    currency: each.currency,
    simulated: training,
    get training() {
      return training ? each.training?.() : undefined;
    },
  };
}

/** HMAC under a key of this data folder: compares bodies under an Idempotency-Key without keeping them. */
function keyedHash(journal: Journal, ids: Ids): (text: string) => string {
  const stored = journal.setting(hmacKeySetting);
  const key = stored ?? Buffer.from(ids.randomBytes(hmacKeyBytes)).toString('hex');
  if (stored === undefined) journal.commit((unit) => unit.saveSetting(hmacKeySetting, key));
  return (text) => createHmac('sha256', Buffer.from(key, 'hex')).update(text, 'utf8').digest('hex');
}
