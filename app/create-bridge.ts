import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { createClientUses } from './config/client-uses.ts';
import { createHostClients } from './config/host-clients.ts';
import {
  createPosClient,
  credentialsOf,
  ensureTrainingClient,
  renamePosClient,
  revokePosClient,
  rotatePosKey,
} from './config/pos-clients.ts';
import type { ConsoleDeps, ConsoleSettings } from './console/console-deps.ts';
import { createConsole, type OperatorConsole } from './console/create-console.ts';
import type { StoredTerminal } from './contract/settings.ts';
import type { PosClient } from './domain/records.ts';
import { createFileLog } from './logs/file-log.ts';
import { createRequestRing } from './logs/request-ring.ts';
import { createSupportWork, type RunProgram } from './logs/support-work.ts';
import { openWireTraces, wireTracesFile } from './logs/wire-traces.ts';
import type { Clock } from './ports/clock.ts';
import type { OfferedFile } from './ports/downloads.ts';
import type { HostAccess } from './ports/host-client.ts';
import type { Ids } from './ports/ids.ts';
import type { Journal } from './ports/journal.ts';
import type { Log } from './ports/log.ts';
import type { Printers } from './ports/printer.ts';
import type { Settings, SettingsStore } from './ports/settings.ts';
import type { Terminal } from './ports/terminal.ts';
import type { TerminalFinder } from './ports/terminal-finder.ts';
import type { Vault } from './ports/vault.ts';
import type { VirtualTerminalControl } from './ports/virtual-terminal.ts';
import type { WireRecorder } from './ports/wire-traces.ts';
import { createPaper } from './receipts/create-paper.ts';
import { buildServer } from './server/build-server.ts';
import type { TextLink } from './server/console-channel.ts';
import { createDownloads } from './server/console-downloads.ts';
import { defaultConsoleServerSettings } from './server/console-options.ts';
import { buildConsoleServer } from './server/console-server.ts';
import { probePos } from './server/pos-probe.ts';
import { defaultServerSettings, type ServerSettings } from './server/server-options.ts';
import { createTill, type TillEngine } from './services/create-till.ts';
import { createDoctor } from './services/doctor.ts';
import { createPrinting } from './services/printing.ts';
import { createScheduledClose } from './services/scheduled-close.ts';
import { createSessionTill } from './services/session-till.ts';
import type { Till } from './services/till.ts';
import type { AttachedTerminal } from './services/till-deps.ts';
import { createJournal } from './storage/create-journal.ts';
import { createHostSide, type HostSide } from './sync/host-side.ts';

/** How long a stop waits for a running exchange before it leaves it to recovery. */
const stopGraceMs = 15_000;
const hmacKeyBytes = 32;
const hmacKeySetting = 'idempotency-hmac-key';

/** A terminal that the bridge is to drive; made by the caller, since drivers and their lines are not the bridge's business. */
export interface BridgeTerminal {
  readonly terminal: Terminal;
  readonly currency: string;
  /** Asked at each training payment: a terminal shows only once it is connected whether it can be armed. */
  readonly training?: () => VirtualTerminalControl | undefined;
  /** The till's own virtual terminal. */
  readonly isOwn?: boolean;
}

interface ListenAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface BridgeOptions {
  readonly dataDir: string;
  readonly settings: SettingsStore;
  /** No real money can move. */
  readonly training: boolean;
  /** Key that the training client answers to; training only. */
  readonly trainingKey?: string;
  readonly version: string;
  readonly pid: number;
  readonly listen: ListenAddress;
  /** The operator's console, at an address of its own. */
  readonly console: { readonly listen: ListenAddress /** Folder of the built screen. */; readonly filesDir: string };
  readonly clock: Clock;
  readonly ids: Ids;
  /** Who listens on a port of this machine, in words, where that can be seen. */
  portHolder(port: number): Promise<string | undefined>;
  createTerminals(log: Log, wire: WireRecorder): Promise<readonly BridgeTerminal[]>;
  /**
   * A host for the first reader, or the first terminal, that is not paired; without one a reader reads cards for the POS's own acquirer. Gives
   * undefined while the host is not there yet.
   */
  readonly host?: () => HostAccess | undefined;
  /** Whether `host` gives one, or will: a till without is not to keep what it would tell. */
  readonly isHostExpected?: () => boolean;
  readonly printers: Printers;
  readonly terminalSetup: BridgeTerminalSetup;
  readonly vault: Vault;
  readonly runProgram: RunProgram;
}

/** Terminals that come while the till runs. */
interface BridgeTerminalSetup {
  /** The terminals of the settings are those of this run: what is added to them is driven at once. */
  readonly isChangedNow: boolean;
  createFinder(log: Log): Promise<TerminalFinder>;
  createTerminal(stored: StoredTerminal, log: Log, wire: WireRecorder): Promise<BridgeTerminal>;
}

/** The console's window in a desktop shell: no address, no cookie in the page. */
export interface ShellScreen {
  /** Connects the window; returns what ends the connection. */
  open(link: TextLink): () => void;
  /** A file that a procedure made ready for the window, once. */
  takeDownload(token: string): OfferedFile | undefined;
}

/** The till as one object: everything it is made of is opened by `start` and closed by `stop`. */
export interface Bridge {
  readonly terminals: readonly BridgeTerminal[];
  /**
   * Resolves when both addresses listen: the POS API's, and the console's with a token that lets one browser in, once.
   * @throws the system's error, with the `port` that is taken
   */
  start(): Promise<{ readonly posUrl: string; readonly consoleUrl: string }>;
  /** Accepts nothing new; a running exchange is finished or left to recovery. */
  stop(): Promise<void>;
  /** Lets the shell's own window in: the same one at each start, by a cookie that the vault keeps. */
  shellScreen(): Promise<ShellScreen>;
  /** What runs on the terminals now; `ended` resolves when all of it has. */
  inFlight(): { readonly count: number; readonly ended: Promise<void> };
  /** The machine goes to sleep: noted, since a terminal may lose its till meanwhile. */
  asleep(): void;
  /** The machine is awake again: every terminal is asked at once, so that a lost line is found before the next sale. */
  awake(): Promise<void>;
}

/** The composition root of the till. @throws BridgeError JOURNAL_UNAVAILABLE when the data folder cannot be used or is in use */
export async function createBridge(options: BridgeOptions): Promise<Bridge> {
  const { clock, ids, training } = options;
  // What cannot change while the till runs is taken from here; a change of it holds from the next start on.
  const settings = options.settings.current();
  const log = createFileLog({ directory: join(options.dataDir, 'logs'), clock });
  const journal = createJournal({ dataDir: options.dataDir, clock, log, pid: options.pid });
  const saveClient = (client: PosClient) => journal.commit((unit) => unit.saveClient(client));
  const keyDeps = { clients: { listClients: journal.listClients, saveClient }, clock, ids };
  if (options.trainingKey !== undefined) ensureTrainingClient(keyDeps, options.trainingKey);
  const wire = openWireTraces({ clock, path: join(options.dataDir, wireTracesFile) });
  const support = createSupportWork(options);
  const hostSide = createHostSide({
    ...{
      journal,
      vault: options.vault,
      access: options.host,
      isExpected: options.isHostExpected,
      offlineLimits: () => options.settings.current().offlineSales,
      training,
      clock,
      ids,
      log,
    },
    clients: createHostClients(journal, clock),
  });
  const terminals = (await options.createTerminals(log, wire)).map((each) => withHost(each, hostSide));
  const asksTip = (terminalId: string) =>
    options.settings.current().terminals.find((stored) => stored.terminalId === terminalId)?.asksTip === true;
  const attach = (each: BridgeTerminal) => attached(each, training, asksTip);
  const till = createTill({
    journal,
    clock,
    ids,
    log,
    terminals: terminals.map(attach),
    hmac: keyedHash(journal, ids),
    hostBooks: hostSide.books,
    tipsOf: hostSide.tipsOf,
    tipCaptures: hostSide.captures,
    settings: {
      // Who the merchant is may change at any time: a transaction keeps the merchant of its start, a receipt names the shop as it is called now.
      get merchantId() {
        return options.settings.current().merchantId;
      },
      get merchantName() {
        return options.settings.current().merchantName;
      },
      get language() {
        return options.settings.current().language;
      },
      timeZone: settings.timeZone,
      dayCutOff: settings.dayCutOff,
      stopGraceMs,
    },
  });
  const uses = createClientUses({
    ...{ clock, log, stored: journal.clientUses },
    save: (of) =>
      journal.commit((unit) => {
        for (const [clientId, usedAt] of of) unit.saveClientUse(clientId, usedAt);
      }),
    isBusy: () => till.inFlight().count > 0,
  });
  const requests = createRequestRing(clock);
  let posUrl = `http://${options.listen.host}:${options.listen.port}`;
  const doctor = createDoctor({
    ...{ requests, clock, ids },
    allowedOrigins: () => options.settings.current().allowedOrigins,
    posAccess: { url: () => posUrl, probe: (probe) => probePos(posUrl, probe), holderOf: options.portHolder },
  });
  const server = await buildServer(
    {
      till,
      credentials: credentialsOf({ clients: journal, clock, training, onUse: uses.note }),
      ...{ clock, ids, log, requests, doctor },
    },
    liveServerSettings(options),
  );
  const clientKeys: ConsoleDeps['clientKeys'] = {
    create: (name) => createPosClient(keyDeps, name),
    rename: (name, newName) => renamePosClient(keyDeps, name, newName),
    rotate: (name, graceMs) => rotatePosKey(keyDeps, name, graceMs),
    revoke: (name) => revokePosClient(keyDeps, name),
    lastUsedAt: uses.lastUsedAt,
  };
  const downloads = createDownloads({ clock, ids });
  const { printers } = options;
  const printing = createPrinting({ journal, printers, settings: options.settings, clock, ids, log });
  const finder = await options.terminalSetup.createFinder(log);
  const operatorConsole = await createConsole({
    ...{ till, journal, clientKeys, downloads, printing, printers, clock, ids, log, doctor },
    ...{ support, wire, logView: log.view, hostLinks: hostSide.links, tipsOf: hostSide.tipsOf },
    paper: createPaper(options.settings),
    settings: liveSettings(options.settings, training),
    settingsStore: options.settings,
    ...terminalDeps(options, { till, attach, journal, log, wire, terminals, finder, hostSide }),
  });
  const consoleServer = await buildConsoleServer(
    { door: operatorConsole, downloads, clock, ids, log },
    { ...defaultConsoleServerSettings, filesDir: options.console.filesDir },
  );
  const scheduledClose = createScheduledClose({ till, journal, clock, log, settings: options.settings.current });
  return {
    terminals,
    start: async () => {
      hostSide.start();
      till.start();
      hostSide?.serve(createSessionTill(till, journal), server.linkedCalls, till.deferred);
      scheduledClose.start();
      posUrl = await server.listen(options.listen);
      const consoleAddress = await consoleServer.listen(options.console.listen);
      return { posUrl, consoleUrl: `${consoleAddress}/?token=${consoleServer.issueToken()}` };
    },
    stop: async () => {
      scheduledClose.stop();
      // The servers stop taking calls first; the engine then ends what runs, so that waiting callers still get their answers.
      await Promise.all([server.close(), consoleServer.close(), till.stop()]);
      hostSide.stop();
      operatorConsole.close();
      await Promise.all([printing.stop(), support.close()]);
      wire.close();
      uses.close();
      journal.close();
      log.close();
    },
    shellScreen: async () => {
      const cookie = await shellCookie(options.vault, operatorConsole);
      return {
        open: (link) => consoleServer.openScreen(cookie, link),
        takeDownload: (token) => consoleServer.takeDownload(cookie, token),
      };
    },
    inFlight: till.inFlight,
    asleep: () => log.info('the machine goes to sleep', {}),
    awake: async () => {
      log.info('the machine is awake again; the terminals are asked', {});
      await Promise.all(till.terminals().map(({ terminalId }) => askTerminal(till, ids, terminalId)));
    },
  };
}

interface TerminalParts {
  readonly till: TillEngine;
  readonly attach: (each: BridgeTerminal) => AttachedTerminal;
  readonly journal: Journal;
  readonly log: Log;
  readonly wire: WireRecorder;
  readonly terminals: readonly BridgeTerminal[];
  readonly finder: TerminalFinder;
  readonly hostSide: HostSide;
}

/** The terminals as the console reaches them: those of the start, and those that come later. */
function terminalDeps(
  { terminalSetup, training }: BridgeOptions,
  { till, attach, journal, log, wire, terminals, finder, hostSide }: TerminalParts,
): Pick<ConsoleDeps, 'terminalSetup' | 'virtualTerminals'> {
  const known = new Map(terminals.map((each) => [each.terminal.terminalId, each]));
  return {
    terminalSetup: {
      isChangedNow: terminalSetup.isChangedNow,
      finder,
      async attach(stored) {
        const made = withHost(await terminalSetup.createTerminal(stored, log, wire), hostSide);
        till.attach(attach(made));
        known.set(stored.terminalId, made);
      },
      async detach(terminalId) {
        await till.detach(terminalId);
        hostSide.release(terminalId);
        known.delete(terminalId);
      },
      openOn: till.openOn,
      isKnown: (terminalId) => known.has(terminalId) || journal.lastTransaction(terminalId) !== undefined,
    },
    virtualTerminals: {
      controlOf: (terminalId) => (training ? known.get(terminalId)?.training?.() : undefined),
      isOwn: (terminalId) => known.get(terminalId)?.isOwn === true,
    },
  };
}

const shellCookieName = 'shell-console';

async function shellCookie(vault: Vault, { isAdmitted, admit }: OperatorConsole): Promise<string> {
  const kept = await vault.read(shellCookieName);
  if (kept !== undefined && isAdmitted(kept)) return kept;
  const cookie = admit();
  await vault.keep(shellCookieName, cookie);
  return cookie;
}

/** A terminal that does not answer says so in its own state; nothing else hangs on this question. */
async function askTerminal(till: Till, ids: Ids, terminalId: string): Promise<void> {
  const context = { clientId: 'shell', actor: 'shell', requestId: ids.next(), route: 'SHELL awake', terminalId };
  await till.health(context).catch(() => undefined);
}

/** A reader gets the host behind it. What issuers answer is played behind the host then (decisions section 6); faults stay the reader's. */
function withHost(each: BridgeTerminal, hostSide: HostSide): BridgeTerminal {
  const terminal = hostSide.complete(each.terminal);
  if (terminal === each.terminal) return each;
  const { training } = each;
  return {
    ...each,
    terminal,
    ...(training === undefined ? {} : { training: () => withoutIssuer(training()) }),
  };
}

function withoutIssuer(control: VirtualTerminalControl | undefined): VirtualTerminalControl | undefined {
  if (control === undefined) return undefined;
  return { ...control, arm: async (rule) => (rule.startsWith('decline-') ? undefined : await control.arm(rule)) };
}

/** @param asksTip as it is settled at the moment */
function attached(each: BridgeTerminal, training: boolean, asksTip: (terminalId: string) => boolean): AttachedTerminal {
  return {
    terminal: each.terminal,
    currency: each.currency,
    simulated: training,
    get training() {
      return training ? each.training?.() : undefined;
    },
    get asksTip() {
      return asksTip(each.terminal.terminalId);
    },
  };
}

/** The settings as the POS API sees them: what the operator may change while it runs is read at each request. */
function liveServerSettings({ settings, version, training }: BridgeOptions): ServerSettings {
  return {
    ...defaultServerSettings,
    version,
    training,
    get allowedOrigins() {
      return settings.current().allowedOrigins;
    },
  };
}

/** The settings as the console sees them: each look gives what is in force then. */
function liveSettings(store: SettingsStore, training: boolean): ConsoleSettings {
  const inForce = <Field extends keyof Settings>(field: Field) => store.current()[field];
  return {
    training,
    get merchantName() {
      return inForce('merchantName');
    },
    get timeZone() {
      return inForce('timeZone');
    },
    get language() {
      return inForce('language');
    },
    get lockAfterSeconds() {
      return inForce('lockAfterSeconds');
    },
    get refundApprovalAboveMinor() {
      return inForce('refundApprovalAboveMinor');
    },
    get supportContact() {
      return inForce('supportContact');
    },
    get holdDays() {
      return inForce('holdDays');
    },
    get showTrainingHint() {
      return inForce('showTrainingHint');
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
