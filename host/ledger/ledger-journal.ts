import { exponentOf } from '../../app/contract/currencies.ts';
import { formatMinor } from '../../app/domain/money.ts';
import { accounts } from '../../app/domain/posting.ts';
import type { EntryRecord } from '../ports/host-records.ts';

/**
 * Entries in hledger's journal format: one transaction per payment and revision, debits positive, amounts with the digits of their currency, accounts
 * as posting.ts names them. Terminal and batch are tags, so that `hledger balance tag:batch=7` gives the totals of a settlement.
 */
export function ledgerJournal(entries: readonly EntryRecord[]): string {
  const currencies = [...new Set(entries.map(({ currency }) => currency))];
  return [ledgerHeader(), ...currencies.map(commodityDirective), ...transactionsOf(entries)].join('\n');
}

/** What stands before the first transaction: how amounts are written, and every account. */
export function ledgerHeader(): string {
  return ['decimal-mark .', ...Object.values(accounts).map((account) => `account ${account}`), ''].join('\n');
}

/** How amounts of a currency look; hledger checks strictly against it. */
export function commodityDirective(currency: string): string {
  const exponent = exponentOf(currency);
  // A decimal mark is there even where no digit follows it.
  return `commodity ${exponent === 0 ? '1000.' : formatMinor(1000 * 10 ** exponent, exponent)} ${currency}\n`;
}

/** The transactions of entries that stand revision by revision, in their order. */
export function transactionsOf(entries: readonly EntryRecord[]): readonly string[] {
  const revisions = new Map<string, EntryRecord[]>();
  for (const entry of entries) {
    const name = JSON.stringify([entry.terminalId, entry.paymentId, entry.revision]);
    const lines = revisions.get(name) ?? [];
    revisions.set(name, lines);
    lines.push(entry);
  }
  return [...revisions.values()].map(transactionOf);
}

function transactionOf(entries: readonly EntryRecord[]): string {
  const [first] = entries;
  if (first === undefined) return '';
  const { atMs, paymentId, revision, terminalId, batchNumber } = first;
  const date = new Date(atMs).toISOString().slice(0, 10);
  const tags = `terminal:${tagValue(terminalId)}, batch:${batchNumber}, revision:${revision}`;
  const postings = entries.flatMap(({ kind, debit, credit, amountMinor, currency }) => {
    const amount = formatMinor(amountMinor, exponentOf(currency));
    return [`    ${debit}  ${amount} ${currency}  ; ${kind}`, `    ${credit}  -${amount} ${currency}  ; ${kind}`];
  });
  return [`${date} * ${paymentId}  ; ${tags}`, ...postings, ''].join('\n');
}

/** A tag ends at a comma or at the end of its line. */
function tagValue(text: string): string {
  return encodeURIComponent(text);
}
