import type { TransactionEvent } from '../contract/session.ts';
import type { ReceiptCopy } from '../domain/print-job.ts';
import type { ConsoleCall } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { receiptContents } from './printing-procedures.ts';

/** Prints by itself what the printers are set to print when a payment is approved. Nothing waits for it. Returns its end. */
export function startAutoPrint(deps: ConsoleDeps): () => void {
  const { till, printing, paper, ids, log } = deps;
  const receiptOf = receiptContents(deps);

  async function print(printerId: string, transactionId: string, copy: ReceiptCopy): Promise<void> {
    const call: ConsoleCall = { sessionId: '', caller: undefined, actor: 'system', requestId: ids.next() };
    await printing.print(printerId, { kind: 'RECEIPT', transactionId, copy }, async (printer) =>
      paper.bytes(receiptOf(call, transactionId, copy), printer),
    );
  }

  function onEvent(event: TransactionEvent): void {
    if (event.event !== 'result') return;
    const { status, type, transactionId } = event.response;
    if (status !== 'APPROVED' || type === 'CARD_READ' || type === 'BALANCE_INQUIRY') return;
    for (const { setting } of printing.list()) {
      const copies: readonly ReceiptCopy[] =
        setting.autoPrint === 'NONE' ? [] : setting.autoPrint === 'BOTH' ? ['CUSTOMER', 'MERCHANT'] : ['CUSTOMER'];
      for (const copy of copies) {
        print(setting.printerId, transactionId, copy).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : 'unknown';
          log.error('a receipt could not be printed by itself', { transactionId, reason });
        });
      }
    }
  }

  // After the answer of the payment has gone out.
  return till.subscribe((event) => void setImmediate(() => onEvent(event)));
}
