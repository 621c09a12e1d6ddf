import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createPosClient, renamePosClient, revokePosClient, rotatePosKey } from '../../app/config/pos-clients.ts';
import { openSettings } from '../../app/config/settings-store.ts';
import type { ConsoleDeps, ConsoleSettings } from '../../app/console/console-deps.ts';
import { type ConsoleConnection, createConsole, type OperatorConsole } from '../../app/console/create-console.ts';
import type { TerminalSetup } from '../../app/console/terminal-keeper.ts';
import type { ConsoleAnswer, ConsoleEvent, SignedOutReason } from '../../app/contract/console/channel.ts';
import type { ProcedureName, ProcedureRequest, ProcedureResponse } from '../../app/contract/console/procedures.ts';
import type { ConsoleRefusal } from '../../app/contract/console/refusal.ts';
import type { Role } from '../../app/contract/console/roles.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import type { PosClient } from '../../app/domain/records.ts';
import { createRequestRing } from '../../app/logs/request-ring.ts';
import { createSupportWork, type RunProgram } from '../../app/logs/support-work.ts';
import { openWireTraces, wireTracesFile } from '../../app/logs/wire-traces.ts';
import type { HostLinks } from '../../app/ports/host-links.ts';
import type { PosAccess } from '../../app/ports/pos-probe.ts';
import type { TipsOf } from '../../app/ports/tips.ts';
import type { VirtualTerminals } from '../../app/ports/virtual-terminal.ts';
import { nodeClock } from '../../app/programs/node-ports.ts';
import { createPaper } from '../../app/receipts/create-paper.ts';
import { createDownloads, type WaitingDownloads } from '../../app/server/console-downloads.ts';
import { createDoctor } from '../../app/services/doctor.ts';
import { createPrinting } from '../../app/services/printing.ts';
import type { Till } from '../../app/services/till.ts';
import { createPrinters } from '../../drivers/printers/create-printers.ts';
import { runNodeProgram } from '../../main/run-program.ts';
import { createHarness, type Harness, quietLog } from '../support/engine-harness.ts';
import { createMemoryDevice, type MemoryDevice } from '../support/memory-terminal.ts';

/** One open window, as the screen has it. */
export interface Screen {
  readonly cookie: string;
  readonly events: readonly ConsoleEvent[];
  readonly signedOut: readonly SignedOutReason[];
  call<Name extends ProcedureName>(
    name: Name,
    request: ProcedureRequest<Name>,
  ): Promise<ConsoleAnswer<ProcedureResponse<Name>>>;
  /** The value. @throws Error for a refusal */
  get<Name extends ProcedureName>(name: Name, request: ProcedureRequest<Name>): Promise<ProcedureResponse<Name>>;
  /** The refusal. @throws Error when it was not refused */
  refusal(name: string, request: unknown): Promise<ConsoleRefusal>;
  close(): void;
}

export interface Person {
  readonly staffId: string;
  readonly pin: string;
}

export interface ConsoleHarness {
  readonly engine: Harness;
  /** What the console is made of; another one may be made of it. */
  deps(): ConsoleDeps;
  readonly console: OperatorConsole;
  /** The files that wait to be fetched. */
  readonly downloads: WaitingDownloads;
  /** A window of a browser: a new one, or the one with this cookie. */
  open(cookie?: string): Screen;
  /** The staff, one of each role, made through the console itself. */
  readonly staff: Readonly<Record<Role, Person>>;
  /** A new window with somebody of this role signed in. */
  as(role: Role): Promise<Screen>;
  /** Crashes the till and starts it on the same folder. */
  restart(): Promise<void>;
  audit(): readonly { readonly actor: string; readonly action: string; readonly text: string }[];
  stop(): Promise<void>;
}

interface ConsoleHarnessOptions {
  readonly devices?: readonly MemoryDevice[];
  readonly settings?: Partial<ConsoleSettings>;
  readonly wrapTill?: (till: Till) => Till;
  readonly terminalSetup?: TerminalSetup;
  readonly virtualTerminals?: VirtualTerminals;
  readonly posAccess?: PosAccess;
  readonly runProgram?: RunProgram;
  readonly hostLinks?: HostLinks;
  readonly tipsOf?: TipsOf;
}

/** A POS API that nobody has started. */
const noPosAccess: PosAccess = {
  url: () => 'http://127.0.0.1:8443',
  probe: async () => ({}),
  holderOf: async () => undefined,
};

const noHostLink = () => Promise.reject(new BridgeError('ILLEGAL_STATE', 'there is no host here'));
/** A till that has nothing to do with a host. */
const noHostLinks: HostLinks = { list: () => [], pair: noHostLink, unpair: noHostLink, check: noHostLink };

const settings: ConsoleSettings = {
  training: false,
  merchantName: 'Corner Shop',
  timeZone: 'Europe/Berlin',
  lockAfterSeconds: 300,
  refundApprovalAboveMinor: 5_000,
  supportContact: {},
  holdDays: 7,
  showTrainingHint: true,
};

const pins: Readonly<Record<Role, string>> = {
  ADMIN: '91827364',
  MANAGER: '82736455',
  CASHIER: '73645546',
  SUPPORT: '64554637',
};
const names: Readonly<Record<Role, string>> = {
  ADMIN: 'Ada',
  MANAGER: 'Ben',
  CASHIER: 'Anna',
  SUPPORT: 'Sam',
};

/** The engine with the real storage and a memory terminal, and the console over it. */
export async function createConsoleHarness(options: ConsoleHarnessOptions = {}): Promise<ConsoleHarness> {
  const devices = options.devices ?? [createMemoryDevice()];
  const tipsOf = options.tipsOf ?? (() => undefined);
  const engine = createHarness({ devices, tipsOf });
  const ids = { next: () => randomUUID(), randomBytes: (byteCount: number) => randomBytes(byteCount) };

  const downloads = createDownloads({ clock: engine.clock, ids });
  const settingsStore = openSettings(engine.dataDir);
  // They really print, on real time.
  const printers = createPrinters(nodeClock);
  const printingOf = () =>
    createPrinting({
      journal: engine.journal,
      printers,
      settings: settingsStore,
      clock: nodeClock,
      ids,
      log: quietLog,
    });
  let printing = printingOf();
  const support = createSupportWork({
    ...{ dataDir: engine.dataDir, clock: nodeClock, version: '0' },
    runProgram: options.runProgram ?? runNodeProgram,
  });

  function deps(): ConsoleDeps {
    const { journal, clock, till } = engine;
    const clients = {
      listClients: journal.listClients,
      saveClient: (client: PosClient) => journal.commit((unit) => unit.saveClient(client)),
    };
    const keyDeps = { clients, clock, ids };
    return {
      till: options.wrapTill?.(till) ?? till,
      journal,
      clock,
      ids,
      downloads,
      printing,
      printers,
      paper: createPaper(settingsStore),
      log: quietLog,
      clientKeys: {
        create: (name) => createPosClient(keyDeps, name),
        rename: (name, newName) => renamePosClient(keyDeps, name, newName),
        rotate: (name, graceMs) => rotatePosKey(keyDeps, name, graceMs),
        revoke: (name) => revokePosClient(keyDeps, name),
        lastUsedAt: () => undefined,
      },
      settings: { ...settings, ...options.settings },
      settingsStore,
      terminalSetup: options.terminalSetup ?? setupOf(engine),
      virtualTerminals: options.virtualTerminals ?? { controlOf: () => undefined, isOwn: () => false },
      doctor: createDoctor({
        requests: createRequestRing(clock),
        posAccess: options.posAccess ?? noPosAccess,
        allowedOrigins: () => settingsStore.current().allowedOrigins,
        ...{ clock, ids },
      }),
      ...{
        support,
        wire: openWireTraces({ clock, path: join(engine.dataDir, wireTracesFile) }),
        logView: { after: () => [] },
        hostLinks: options.hostLinks ?? noHostLinks,
        tipsOf,
      },
    };
  }

  let operatorConsole = await createConsole(deps());

  function open(cookie = operatorConsole.admit()): Screen {
    const events: ConsoleEvent[] = [];
    const signedOut: SignedOutReason[] = [];
    const connection: ConsoleConnection | undefined = operatorConsole.connect(cookie, {
      event: (event) => events.push(event),
      signedOut: (reason) => signedOut.push(reason),
      virtualTerminal: () => undefined,
    });
    if (connection === undefined) throw new Error('the browser was not let in');
    const call = async (name: string, request: unknown) => {
      // As it comes out of the channel.
      const answer = await connection.call(name, JSON.parse(JSON.stringify(request)));
      return JSON.parse(JSON.stringify(answer));
    };
    return {
      cookie,
      events,
      signedOut,
      call,
      async get(name, request) {
        const answer = await call(name, request);
        if (!answer.ok) throw new Error(`${name} was refused: ${JSON.stringify(answer.refusal)}`);
        return answer.value;
      },
      async refusal(name, request) {
        const answer = await call(name, request);
        if (answer.ok) throw new Error(`${name} was not refused: ${JSON.stringify(answer.value)}`);
        return answer.refusal;
      },
      close: connection.close,
    };
  }

  const staff = await hireEverybody(open());

  return {
    engine,
    deps,
    downloads,
    get console() {
      return operatorConsole;
    },
    open,
    staff,
    async as(role) {
      const screen = open();
      await screen.get('session.signIn', staff[role]);
      return screen;
    },
    async restart() {
      operatorConsole.close();
      engine.crashAndRestart();
      printing = printingOf();
      operatorConsole = await createConsole(deps());
    },
    audit() {
      const database = new Database(join(engine.dataDir, 'journal.db'), { readonly: true });
      try {
        return database.prepare('SELECT actor, action, text FROM audit ORDER BY seq').all() as {
          actor: string;
          action: string;
          text: string;
        }[];
      } finally {
        database.close();
      }
    },
    async stop() {
      operatorConsole.close();
      await Promise.all([printing.stop(), support.close()]);
      await engine.stop();
    },
  };
}

/** The engine's own terminals, and a finder that finds nothing. */
function setupOf(engine: Harness): TerminalSetup {
  return {
    isChangedNow: true,
    finder: {
      serialPorts: async () => [],
      readers: async () => ({ readers: [] }),
      search: async () => ({ kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: 'nothing answers' }),
      test: async () => ({ isReady: false }),
      urlOf: ({ line }) => `memory://${Object.values(line).join(':')}`,
      lineOf: (url) => url,
    },
    attach: async () => undefined,
    detach: (terminalId) => engine.till.detach(terminalId),
    openOn: (terminalId) => engine.till.openOn(terminalId),
    isKnown: (terminalId) => engine.till.terminals().some((terminal) => terminal.terminalId === terminalId),
  };
}

async function hireEverybody(screen: Screen): Promise<Record<Role, Person>> {
  const ready = (await screen.get('session.state', {})).trainingStaff;
  if (ready !== undefined) await screen.get('session.signIn', { staffId: ready.staffId, pin: ready.pin });
  const administrator = { name: names.ADMIN, pin: pins.ADMIN };
  const first =
    ready === undefined
      ? await screen.get('session.createFirstAdministrator', administrator)
      : await screen.get('staff.create', { ...administrator, role: 'ADMIN' });
  const hire = async (role: Role): Promise<Person> => {
    const { staffId } = await screen.get('staff.create', { name: names[role], role, pin: pins[role] });
    return { staffId, pin: pins[role] };
  };
  const staff = {
    ADMIN: { staffId: first.staffId, pin: pins.ADMIN },
    MANAGER: await hire('MANAGER'),
    CASHIER: await hire('CASHIER'),
    SUPPORT: await hire('SUPPORT'),
  };
  await screen.get('session.signOut', {});
  screen.close();
  return staff;
}
