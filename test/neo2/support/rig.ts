// A till's driver with a scripted reader and a clock that stands still.
import type { CompleteRequest } from '../../../app/contract/transactions.ts';
import type {
  PreparedExchange,
  Terminal,
  TerminalCommand,
  TerminalNotice,
  TerminalOutcome,
} from '../../../app/ports/terminal.ts';
import type { WireRecorder } from '../../../app/ports/wire-traces.ts';
import type { Neo2Settings } from '../../../drivers/neo2/neo2-settings.ts';
import { createNeo2Terminal } from '../../../drivers/neo2/neo2-terminal.ts';
import { createManualClock, type ManualClock, settle } from '../../support/zvt-clock.ts';
import { createScriptedReader, type ScriptedReader } from './scripted-reader.ts';

export const never = new AbortController().signal;

const settings: Neo2Settings = { currency: 'EUR', currencyNumeric: '978', encryption: 'ALWAYS' };

type Granular = TerminalCommand & { readonly operation: 'GRANULAR' };

export function granular(given: Partial<Granular> = {}): Granular {
  return {
    transactionId: 'T1',
    operation: 'GRANULAR',
    type: 'SALE',
    amountMinor: 1234,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    entryMode: 'CONTACT',
    ...given,
  };
}

export function answer(responseCode: string, more: Partial<CompleteRequest> = {}): CompleteRequest {
  return { transactionId: 'T1', responseCode, ...more };
}

export const approval: CompleteRequest = answer('00', {
  authorizationCode: 'A1B2C3',
  issuerAuthData: '11223344556677883030',
});

export interface Rig {
  readonly clock: ManualClock;
  readonly reader: ScriptedReader;
  readonly terminal: Terminal;
  readonly notices: readonly TerminalNotice[];
  /** What the driver wrote into its log. */
  readonly logged: readonly string[];
  /** Connected and set up; forgets what was sent for that. */
  ready(): Promise<void>;
  /** Prepares and begins to run. */
  begin(command?: TerminalCommand): Promise<Running>;
}

export interface Running {
  readonly exchange: PreparedExchange;
  readonly outcome: Promise<TerminalOutcome>;
  /** Steps that were told, in order. */
  readonly steps: readonly string[];
}

export function createRig(given: Partial<Neo2Settings> = {}, wire?: WireRecorder): Rig {
  const clock = createManualClock();
  const reader = createScriptedReader();
  const notices: TerminalNotice[] = [];
  const logged: string[] = [];
  const write = (message: string, fields: object = {}): void =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const terminal = createNeo2Terminal({
    terminalId: 'R1',
    clock,
    log: { debug: write, info: write, warn: write, error: write },
    settings: { ...settings, ...given },
    line: 'HID',
    serialNumber: '123T456789',
    createLink: reader.createLink,
    ...(wire === undefined ? {} : { wire }),
  });
  terminal.subscribe((notice) => void notices.push(notice));
  return {
    clock,
    reader,
    terminal,
    notices,
    logged,
    async ready() {
      terminal.start();
      await settle();
    },
    async begin(command = granular()) {
      const exchange = await terminal.prepare(command, never);
      const steps: string[] = [];
      const outcome = exchange.run({
        onProgress: ({ step }) => void steps.push(step),
        onProvisional: async () => undefined,
      });
      await settle();
      return { exchange, outcome, steps };
    },
  };
}

export { settle };
