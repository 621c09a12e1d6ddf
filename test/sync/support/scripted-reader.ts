import type { InputRequest, InputResult } from '../../../app/contract/device.ts';
import type { ChipData, CompleteRequest } from '../../../app/contract/transactions.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { CardFacts } from '../../../app/domain/transaction.ts';
import type { AccountData, Terminal, TerminalCommand, TerminalOutcome } from '../../../app/ports/terminal.ts';

/** Card data of the test: none of these texts may ever be on disk or in a log. */
export const secrets = {
  panEncrypted: 'C0FFEE00112233445566778899AABBCCDDEEFF0102030405',
  accountKsn: 'FFFF9876543210E0000A',
  pinBlock: 'A1B2C3D4E5F60718',
  pinKsn: 'FFFF9876543211E0000B',
  pan: '4761739001010010',
  track2: '4761739001010010D22122011143804400000',
} as const;

export const chipCard: CardFacts = {
  cardScheme: 'VISA',
  maskedPan: '476173******0010',
  entryMode: 'CONTACT',
  aid: 'A0000000031010',
  applicationLabel: 'Visa Credit',
  cvmResult: 'ONLINE_PIN',
  tvr: '0000008000',
};

interface ReaderScript {
  /** Instead of a card that asks for its issuer. */
  readonly run?: TerminalOutcome;
  /** What the card makes of the issuer's answer; by default it does as the issuer says. LOST: the reader is unplugged. */
  readonly complete?: TerminalOutcome | 'LOST';
  readonly account?: AccountData;
  /** A card that asks for no PIN: only such a one may be taken without its issuer. */
  readonly isPinless?: boolean;
  /** Held until the test lets it go. */
  readonly hold?: 'CARD' | 'COMPLETE';
}

export interface ScriptedReader {
  readonly terminal: Terminal;
  readonly commands: readonly TerminalCommand[];
  /** Every issuer answer that reached a card. */
  readonly completions: readonly CompleteRequest[];
  next(script: ReaderScript): void;
  /** What its cardholder was asked, and what he does at the next questions: by default he presses stop. HANGS: nothing, until he is asked no more. */
  readonly asked: readonly InputRequest[];
  enter(...results: (InputResult | 'HANGS')[]): void;
  isHeld(): boolean;
  release(): void;
  /** What is held stays so for ever: whoever waited for it is gone. */
  abandon(): void;
}

export function chipDataOf(command: TerminalCommand): ChipData {
  const amounts = command.operation === 'GRANULAR' ? command : { amountMinor: 0, cashbackAmountMinor: 0 };
  const digits = (minor: number) => String(minor).padStart(12, '0');
  return {
    emvTags: {
      '57': secrets.track2,
      '5A': secrets.pan,
      '82': '3900',
      '84': 'A0000000031010',
      '95': '0000008000',
      '9A': '261128',
      '9C': '00',
      '9F02': digits(amounts.amountMinor),
      '9F03': digits(amounts.cashbackAmountMinor),
      '9F26': '1122334455667788',
      '9F27': '80',
      '9F36': '0001',
      '9F37': '12345678',
      DFEE25: '0010',
    },
    encryptedPinBlock: secrets.pinBlock,
    pinKsn: secrets.pinKsn,
    pinBlockFormat: 'ISO_0',
  };
}

/** A reader in the process, that does as its script says. */
export function createScriptedReader(terminalId = 'R1'): ScriptedReader {
  const commands: TerminalCommand[] = [];
  const completions: CompleteRequest[] = [];
  const scripts: ReaderScript[] = [];
  const asked: InputRequest[] = [];
  const entries: (InputResult | 'HANGS')[] = [];
  let letGo: (() => void) | undefined;
  const held = () =>
    new Promise<void>((resolve) => {
      letGo = () => {
        letGo = undefined;
        resolve();
      };
    });

  const terminal: Terminal = {
    terminalId,
    protocol: 'scripted-reader',
    capabilities: {
      operations: new Set(['GRANULAR', 'CARD_READ', 'DISPLAY', 'INPUT']),
      cashback: true,
      maxAmountMinor: 999_999_999_999,
      inputTypes: new Set(['MENU', 'DECIMAL']),
    },
    start: () => undefined,
    stop: async () => letGo?.(),
    status: () => ({ connected: true, state: 'IDLE' }),
    probe: async () => ({ connected: true, state: 'IDLE' }),
    subscribe: () => () => undefined,
    async prepare(command) {
      const script = scripts.shift() ?? {};
      let isAborted = false;
      return {
        mark: { step: commands.length },
        async run(hooks) {
          commands.push(command);
          hooks.onProgress({ step: 'CARD_DETECTED', card: chipCard });
          if (script.hold === 'CARD') await held();
          if (isAborted) return { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] };
          if (script.run !== undefined) return script.run;
          const account = new Secret<AccountData>(
            script.account ?? {
              kind: 'ENCRYPTED',
              panEncrypted: secrets.panEncrypted,
              ksn: secrets.accountKsn,
              keyScheme: 'TDES_DUKPT',
            },
          );
          const reading = { account, pinKeyScheme: 'TDES_DUKPT' } as const;
          if (script.isPinless === true) {
            const chipData = { ...chipDataOf(command), encryptedPinBlock: null, pinKsn: null, pinBlockFormat: null };
            return {
              kind: 'PENDING_ONLINE',
              chipData,
              card: { ...chipCard, cvmResult: 'NO_CVM' },
              reading: { account },
            };
          }
          return { kind: 'PENDING_ONLINE', chipData: chipDataOf(command), card: chipCard, reading };
        },
        async requestAbort() {
          isAborted = true;
          letGo?.();
          return 'REQUESTED';
        },
        async complete(answer) {
          completions.push(answer);
          if (script.hold === 'COMPLETE') await held();
          if (script.complete === 'LOST') throw new Error('unplugged');
          if (script.complete !== undefined) return script.complete;
          if (answer.responseCode !== '00') {
            return { kind: 'DECLINED', card: { ...chipCard, cryptogramType: 'AAC' }, receipts: [] };
          }
          return { kind: 'APPROVED', card: { ...chipCard, cryptogramType: 'TC' }, reference: {}, receipts: [] };
        },
        discard: () => undefined,
      };
    },
    recover: async () => ({ kind: 'UNDECIDED', reason: 'a reader has no memory', evidence: [] }),
    display: async () => undefined,
    async input(request, signal) {
      asked.push(request);
      const entry = entries.shift() ?? { status: 'CANCELLED' };
      if (entry !== 'HANGS') return entry;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      return { status: 'CANCELLED' };
    },
    print: async () => undefined,
  };
  return {
    terminal,
    commands,
    completions,
    next: (script) => scripts.push(script),
    asked,
    enter: (...results) => entries.push(...results),
    isHeld: () => letGo !== undefined,
    release: () => letGo?.(),
    abandon: () => {
      letGo = undefined;
    },
  };
}
