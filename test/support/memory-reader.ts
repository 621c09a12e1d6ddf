import type { ChipData, CompleteRequest } from '../../app/contract/transactions.ts';
import type { Terminal, TerminalOutcome } from '../../app/ports/terminal.ts';
import { testCard } from './memory-terminal.ts';

export interface MemoryReader {
  readonly terminal: Terminal;
  /** Every issuer answer that reached a card. */
  readonly completions: readonly CompleteRequest[];
  /** What the next card makes of an issuer's answer; by default it does as the issuer says. */
  nextCompletion(outcome: TerminalOutcome | 'LOST'): void;
  readonly discarded: number;
}

export const testChipData: ChipData = {
  emvTags: { '9F26': '1122334455667788', '9F27': '80', '95': '0000008000' },
  encryptedPinBlock: null,
  pinKsn: null,
  pinBlockFormat: null,
};

/** A card reader that never talks to a host: the POS authorizes (granular mode). */
export function createMemoryReader(terminalId = 'R1'): MemoryReader {
  const completions: CompleteRequest[] = [];
  const planned: (TerminalOutcome | 'LOST')[] = [];
  let discarded = 0;
  const approved: TerminalOutcome = {
    kind: 'APPROVED',
    card: { ...testCard, cryptogramType: 'TC' },
    reference: {},
    receipts: [],
  };
  const terminal: Terminal = {
    terminalId,
    protocol: 'memory-reader',
    capabilities: {
      operations: new Set(['GRANULAR', 'CARD_READ']),
      cashback: false,
      maxAmountMinor: 999_999_999_999,
      inputTypes: new Set(),
    },
    start: () => undefined,
    stop: async () => undefined,
    status: () => ({ connected: true, state: 'IDLE' }),
    probe: async () => ({ connected: true, state: 'IDLE' }),
    subscribe: () => () => undefined,
    prepare: async (command) => ({
      mark: {},
      async run(hooks) {
        hooks.onProgress({ step: 'CARD_DETECTED', card: testCard });
        if (command.operation === 'GRANULAR') return { kind: 'PENDING_ONLINE', chipData: testChipData, card: testCard };
        return { kind: 'APPROVED', card: { ...testCard, cardToken: 'tok-1' }, reference: {}, receipts: [] };
      },
      requestAbort: async () => 'TOO_LATE',
      async complete(answer) {
        completions.push(answer);
        const outcome = planned.shift() ?? (answer.responseCode === '00' ? approved : declined);
        if (outcome === 'LOST') throw new Error('the card is gone');
        return outcome;
      },
      discard: () => {
        discarded += 1;
      },
    }),
    recover: async () => ({ kind: 'UNDECIDED', reason: 'a reader has no memory', evidence: [] }),
    display: async () => undefined,
    input: async () => ({ status: 'CANCELLED' }),
    print: async () => undefined,
  };
  return {
    terminal,
    completions,
    nextCompletion: (outcome) => planned.push(outcome),
    get discarded() {
      return discarded;
    },
  };
}

const declined: TerminalOutcome = { kind: 'DECLINED', card: testCard, receipts: [] };
