import type { HostReader } from '../ports/host-store.ts';
import { commodityDirective, ledgerHeader, transactionsOf } from './ledger-journal.ts';

/**
 * A merchant's whole ledger as a journal for hledger, in pieces: of each terminal, batch by batch, the open one last. A batch is in memory at a time.
 * @throws StoreUnavailable
 */
export async function* exportLedger(
  read: Pick<HostReader, 'listTerminals' | 'listEntries'>,
  merchantId: string,
): AsyncGenerator<string> {
  yield ledgerHeader();
  const terminals = await read.listTerminals(merchantId);
  for (const currency of new Set(terminals.map(({ currency }) => currency))) yield commodityDirective(currency);
  for (const { terminalId, batchNumber: open } of terminals) {
    for (let batchNumber = 1; batchNumber <= open; batchNumber += 1) {
      const entries = await read.listEntries({ merchantId, terminalId, batchNumber });
      for (const transaction of transactionsOf(entries)) yield `${transaction}\n`;
    }
  }
}
