import { fromHex } from '../../../framing/bytes.ts';
import type { CountAndSum } from '../../book/entries.ts';
import type { CardReadEntry, ReaderKeyName, StoredReaderEntry, ToldAnswer } from './entries.ts';

/**
 * How a card step ended. LEFT_TO_ISSUER: tapped and swiped cards have gone before the issuer answers. OPEN: an inserted card waits for the answer.
 */
type CardStepEnd = 'APPROVED' | 'DECLINED' | 'LEFT_TO_ISSUER' | 'ABANDONED' | 'OPEN';

/** A card step with everything that later entries said about it. */
interface CardStep extends Omit<CardReadEntry, 'kind'> {
  /** sequence of its CARD_READ */
  readonly id: number;
  readonly at: string;
  readonly end: CardStepEnd;
  readonly told?: ToldAnswer;
  readonly reason?: string;
}

/** What a reader may ask its book. */
export interface ReaderLedgerView {
  nextSequence(): number;
  /** the counter that the chip used last; 0 for a new card */
  counterOf(cardId: string): number;
  /** the serial number that was used last; undefined for a new reader */
  lastKsn(key: ReaderKeyName): Uint8Array | undefined;
  /** steps whose inserted card still waits: a lost power left them */
  open(): readonly CardStep[];
}

export interface ReaderLedger extends ReaderLedgerView {
  apply(entry: StoredReaderEntry): void;
  steps(): readonly CardStep[];
}

/** The state that a reader's entries add up to. Applying the entries of a file in order rebuilds it. */
export function createReaderLedger(): ReaderLedger {
  const steps = new Map<number, CardStep>();
  const openIds = new Set<number>();
  const counters = new Map<string, number>();
  const serialNumbers = new Map<ReaderKeyName, string>();
  let sequence = 0;

  const end = (id: number, change: Partial<CardStep> & Pick<CardStep, 'end'>) => {
    openIds.delete(id);
    const step = steps.get(id);
    if (step !== undefined) steps.set(id, { ...step, ...change });
  };
  const read = ({ kind: _, sequence: id, ...content }: CardReadEntry & StoredReaderEntry) => {
    const step: CardStep = { ...content, id, end: endOfReading(content) };
    steps.set(id, step);
    if (step.end === 'OPEN') openIds.add(id);
    serialNumbers.set('account', content.accountKsn);
    if (content.counter !== undefined) counters.set(content.card.id, content.counter);
  };

  return {
    apply(entry) {
      sequence = entry.sequence;
      if (entry.kind === 'CARD_READ') read(entry);
      else if (entry.kind === 'PIN_SEALED') serialNumbers.set(entry.key, entry.ksn);
      else if (entry.kind === 'CARD_ABANDONED') end(entry.id, { end: 'ABANDONED', reason: entry.reason });
      else if (entry.kind === 'CARD_FINISHED')
        end(entry.id, { end: entry.cryptogram === 'TC' ? 'APPROVED' : 'DECLINED', told: entry.told });
    },
    steps: () => [...steps.values()],
    nextSequence: () => sequence + 1,
    counterOf: (cardId) => counters.get(cardId) ?? 0,
    lastKsn(key) {
      const ksn = serialNumbers.get(key);
      return ksn === undefined ? undefined : fromHex(ksn);
    },
    open: () => [...openIds].flatMap((id) => steps.get(id) ?? []),
  };
}

/** What a reader's book says: the judge of money tests. A refund's card step counts apart. */
export interface ReaderBookSummary {
  readonly path: string;
  readonly entries: readonly StoredReaderEntry[];
  readonly steps: readonly CardStep[];
  /** approved at the card: the chip's TC, with its issuer's answer or without */
  readonly approved: { readonly charges: CountAndSum; readonly refunds: CountAndSum };
  /** tapped and swiped: only the issuer knows */
  readonly leftToIssuer: { readonly charges: CountAndSum; readonly refunds: CountAndSum };
  /** ids of steps whose card still waits for its issuer's answer */
  readonly open: readonly number[];
}

/** Adds the entries of a reader's book up. */
export function summariseReaderBook(path: string, entries: readonly StoredReaderEntry[]): ReaderBookSummary {
  const ledger = createReaderLedger();
  for (const entry of entries) ledger.apply(entry);
  const steps = ledger.steps();
  return {
    path,
    entries,
    steps,
    approved: chargesAndRefunds(steps.filter(({ end }) => end === 'APPROVED')),
    leftToIssuer: chargesAndRefunds(steps.filter(({ end }) => end === 'LEFT_TO_ISSUER')),
    open: ledger.open().map(({ id }) => id),
  };
}

const REFUND = '20';

function chargesAndRefunds(steps: readonly CardStep[]) {
  return {
    charges: countAndSum(steps.filter(({ order }) => order.transactionType !== REFUND)),
    refunds: countAndSum(steps.filter(({ order }) => order.transactionType === REFUND)),
  };
}

function countAndSum(steps: readonly CardStep[]): CountAndSum {
  return { count: steps.length, sumMinor: steps.reduce((sum, { order }) => sum + order.amountMinor, 0) };
}

function endOfReading({ decision, card }: Omit<CardReadEntry, 'kind'>): CardStepEnd {
  if (decision !== 'ONLINE') return decision;
  return card.entry === 'CONTACT' ? 'OPEN' : 'LEFT_TO_ISSUER';
}
