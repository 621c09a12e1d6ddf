import type { ChipData, CompleteRequest } from '../../app/contract/transactions.ts';
import type { Terminal, TerminalOutcome } from '../../app/ports/terminal.ts';
import { testCard } from './memory-terminal.ts';

export interface MemoryReader {
  readonly terminal: Terminal;
  /** Every issuer answer that reached a card. */
  readonly completions: readonly CompleteRequest[];
  /** What becomes of the next card instead of asking its issuer; HOLD: none is there until `presentCard`; DEAF: nor is an abort heard. */
  nextReading(outcome: TerminalOutcome | 'HOLD' | 'DEAF'): void;
  /** The card that was waited for is there. */
  presentCard(): void;
  /** What the next card makes of an issuer's answer; by default it does as the issuer says. HOLD: it thinks until `cardAnswers`. */
  nextCompletion(outcome: TerminalOutcome | 'LOST' | 'HOLD'): void;
  cardAnswers(): void;
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
  const planned: (TerminalOutcome | 'LOST' | 'HOLD')[] = [];
  const readings: (TerminalOutcome | 'HOLD' | 'DEAF')[] = [];
  let isDeaf = false;
  let discarded = 0;
  let endWaiting: ((end: 'CARD' | 'ABORT') => void) | undefined;
  let endThinking = (): void => undefined;
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
        const reading = readings.shift();
        if (reading === 'HOLD' || reading === 'DEAF') {
          isDeaf = reading === 'DEAF';
          hooks.onProgress({ step: 'WAITING_FOR_CARD', message: 'Please present the card' });
          const end = await new Promise<'CARD' | 'ABORT'>((resolve) => {
            endWaiting = resolve;
          });
          endWaiting = undefined;
          if (end === 'ABORT') return { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] };
        } else if (reading !== undefined) return reading;
        hooks.onProgress({ step: 'CARD_DETECTED', card: testCard });
        if (command.operation === 'GRANULAR') return { kind: 'PENDING_ONLINE', chipData: testChipData, card: testCard };
        return { kind: 'APPROVED', card: { ...testCard, cardToken: 'tok-1' }, reference: {}, receipts: [] };
      },
      async requestAbort() {
        if (endWaiting === undefined || isDeaf) return 'TOO_LATE';
        endWaiting('ABORT');
        return 'REQUESTED';
      },
      async complete(answer) {
        completions.push(answer);
        const plan = planned.shift();
        if (plan === 'HOLD')
          await new Promise<void>((resolve) => {
            endThinking = resolve;
          });
        const asTheIssuer = answer.responseCode === '00' ? approved : declined;
        const outcome = plan === undefined || plan === 'HOLD' ? asTheIssuer : plan;
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
    nextReading: (outcome) => readings.push(outcome),
    presentCard: () => endWaiting?.('CARD'),
    nextCompletion: (outcome) => planned.push(outcome),
    cardAnswers: () => endThinking(),
    get discarded() {
      return discarded;
    },
  };
}

const declined: TerminalOutcome = { kind: 'DECLINED', card: testCard, receipts: [] };
