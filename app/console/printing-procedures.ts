import type { PrinterTrouble } from '../contract/console/printing.ts';
import { BridgeError } from '../contract/errors.ts';
import { MAX_PRINTERS, type PrinterSetting } from '../contract/printers.ts';
import type { PrintJob, PrintSubject, ReceiptCopy } from '../domain/print-job.ts';
import type { PaperContent } from '../ports/paper.ts';
import type { MakeBytes } from '../services/printing.ts';
import { defined } from '../services/response.ts';
import { type ConsoleCall, contextOf, type Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { pickTerminal } from './pick-terminal.ts';

type Name = Extract<keyof Handlers, `printing.${string}`>;
type PrintingHandlers = Pick<Handlers, Name>;
/** The reports come from the same handlers that the screen shows them by. */
type Reports = Pick<Handlers, 'day.report' | 'day.preview' | 'day.xReport'>;

/** Printers, what is printed on them, and the same as files. */
export function createPrintingHandlers(deps: ConsoleDeps, reports: Reports): PrintingHandlers {
  const { settingsStore, journal, clock, printing, paper, printers, downloads, till } = deps;
  const receiptOf = receiptContents(deps);

  async function reportOf(
    call: ConsoleCall,
    of: ReportRequest,
  ): Promise<{ content: PaperContent; subject: PrintSubject }> {
    const { settlementId } = of;
    if (settlementId !== undefined) {
      const report = await reports['day.report'](call, { settlementId });
      return { content: { kind: 'Z_REPORT', report }, subject: { kind: 'Z_REPORT', settlementId } };
    }
    const { terminalId } = pickTerminal(till, of.terminalId);
    const preview = await reports['day.preview'](call, { terminalId });
    const report = await reports['day.xReport'](call, { terminalId });
    const content = { kind: 'X_REPORT', preview, report } as const;
    return { content, subject: { kind: 'X_REPORT', terminalId } };
  }

  function changePrinters(call: ConsoleCall, next: readonly PrinterSetting[], subjectId: string, text: string): void {
    if (next.length > MAX_PRINTERS)
      throw new BridgeError('INVALID_REQUEST', `a till has at most ${MAX_PRINTERS} printers`);
    settingsStore.update({ printers: [...next] });
    const entry = { at: nowIso(clock), actor: call.actor, action: 'SETTINGS_CHANGED', subjectId, text } as const;
    journal.commit((unit) => unit.appendAudit(entry));
  }

  async function printSubject(call: ConsoleCall, printerId: string, subject: PrintSubject) {
    const make: MakeBytes =
      subject.kind === 'RECEIPT'
        ? (printer) => paper.bytes(receiptOf(call, subject.transactionId, subject.copy), printer)
        : async (printer) => paper.bytes((await reportOf(call, subject)).content, printer);
    return printing.print(printerId, subject, make);
  }

  return {
    'printing.printers': () => ({ printers: printing.list().map((one) => ({ ...one })) }),
    'printing.savePrinter'(call, { printer }) {
      printers.checkUrl(printer.url);
      const others = settingsStore.current().printers;
      const isKnown = others.some(({ printerId }) => printerId === printer.printerId);
      const next = isKnown
        ? others.map((other) => (other.printerId === printer.printerId ? printer : other))
        : [...others, printer];
      changePrinters(call, next, printer.printerId, `printer ${printer.name}: ${printer.url}`);
      return {};
    },
    'printing.removePrinter'(call, { printerId }) {
      const all = settingsStore.current().printers;
      const rest = all.filter((printer) => printer.printerId !== printerId);
      if (rest.length === all.length) throw new BridgeError('NOT_FOUND', 'there is no printer with this id');
      changePrinters(call, rest, printerId, 'printer removed');
      return {};
    },
    'printing.test': (_call, { printerId }) =>
      printing.test(printerId, (printer) =>
        paper.bytes({ kind: 'TEST', printerName: printer.name, at: nowIso(clock) }, printer),
      ),
    'printing.receipt'(call, { transactionId, copy, printerId }) {
      // Refused at once when there is nothing to print.
      receiptOf(call, transactionId, copy);
      return printSubject(call, printerId, { kind: 'RECEIPT', transactionId, copy });
    },
    'printing.receiptFile'(call, { transactionId, copy }) {
      const content = receiptOf(call, transactionId, copy);
      const { url } = downloads.offer(call.sessionId, {
        fileName: `receipt-${transactionId}-${copy.toLowerCase()}.pdf`,
        contentType: 'application/pdf',
        open() {
          printing.note({ kind: 'RECEIPT', transactionId, copy });
          return paper.pdf(content);
        },
      });
      return { url };
    },
    async 'printing.report'(call, request) {
      const { subject } = await reportOf(call, request);
      return printSubject(call, request.printerId, subject);
    },
    async 'printing.reportFile'(call, request) {
      const { content } = await reportOf(call, request);
      return downloads.offer(call.sessionId, {
        fileName: reportFileName(content),
        contentType: 'application/pdf',
        open: () => paper.pdf(content),
      });
    },
    async 'printing.again'(call, { jobId }) {
      const { printerId, subject } = printing.failed(jobId);
      if (!printing.list().some(({ setting }) => setting.printerId === printerId))
        throw new BridgeError('NOT_FOUND', 'this printer is no longer set up');
      // It goes on as a print of its own, which comes back if it fails again.
      printing.dismiss(jobId);
      return printSubject(call, printerId, subject);
    },
    'printing.dismiss'(_call, { jobId }) {
      printing.dismiss(jobId);
      return {};
    },
  };
}

interface ReportRequest {
  readonly settlementId?: string | undefined;
  readonly terminalId?: string | undefined;
}

function reportFileName(content: PaperContent): string {
  if (content.kind !== 'Z_REPORT') return 'x-report.pdf';
  const { number, settlement, businessDate } = content.report;
  return `z-report-${settlement.terminalId}-${number}-${businessDate}.pdf`;
}

/** What stands on a copy of a transaction's receipt. @throws BridgeError NOT_FOUND when there is none */
export function receiptContents({ till, journal, printing }: ConsoleDeps) {
  return (call: ConsoleCall, transactionId: string, copy: ReceiptCopy): PaperContent => {
    const record = journal.findTransaction(transactionId);
    if (record === undefined) throw new BridgeError('NOT_FOUND', 'there is no transaction with this id');
    const transaction = till.transaction(contextOf(call, 'printing.receipt'), transactionId);
    const hasText = record.receipts.some(({ kind }) => kind === copy);
    if (!hasText && transaction.receiptData === undefined)
      throw new BridgeError('NOT_FOUND', 'there is no receipt: nothing was charged');
    const isDuplicate = printing.wasPrinted(transactionId, copy);
    const { terminalId, receipts } = record;
    return { kind: 'RECEIPT', copy, isDuplicate, transaction, terminalId, receipts };
  };
}

/** The prints that have not come out, as the inbox shows them. */
export function printerTroublesOf({ printing, settingsStore }: ConsoleDeps): PrinterTrouble[] {
  const known = settingsStore.current().printers;
  const nameOf = (printerId: string) => known.find((one) => one.printerId === printerId)?.name;
  return printing.troubles().map((job) => troubleView(job, nameOf(job.printerId)));
}

function troubleView(job: PrintJob, printerName: string | undefined): PrinterTrouble {
  const { jobId, printerId, subject, attempts, createdAt, sent } = job;
  return defined({
    jobId,
    printerId,
    printerName: printerName ?? printerId,
    what: subject.kind,
    transactionId: subject.kind === 'RECEIPT' ? subject.transactionId : undefined,
    copy: subject.kind === 'RECEIPT' ? subject.copy : undefined,
    settlementId: subject.kind === 'Z_REPORT' ? subject.settlementId : undefined,
    trouble: printerName === undefined ? 'REMOVED' : (job.trouble ?? 'TILL_ENDED'),
    attempts,
    isRetrying: job.state === 'WAITING',
    perhapsPrinted: sent,
    createdAt,
  });
}
