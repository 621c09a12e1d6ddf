import { BridgeError } from '../contract/errors.ts';
import type { PrinterSetting } from '../contract/printers.ts';
import type { PrinterTroubleKind, PrintJob, PrintSubject, ReceiptCopy } from '../domain/print-job.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { PrintEnd, Printers } from '../ports/printer.ts';
import type { SettingsStore } from '../ports/settings.ts';
import { createPrintQueue, type PrintQueue, type QueuedPrint } from './print-queue.ts';

/** Prints that the inbox lists, oldest first. */
const maxListedJobs = 200;

export interface PrintingDeps {
  readonly journal: Journal;
  readonly printers: Printers;
  readonly settings: Pick<SettingsStore, 'current'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Makes the bytes for a printer as it is set now. */
export type MakeBytes = (printer: PrinterSetting) => Promise<Uint8Array>;

/** What a person sees of a print after its first attempt. `WAITING`: it is tried again. */
type FirstEnd =
  | { readonly state: 'PRINTED'; readonly isConfirmed: boolean }
  | { readonly state: 'WAITING' | 'FAILED'; readonly trouble: PrinterTroubleKind };

/**
 * The prints of the till. Nothing here is awaited by a payment: what fails becomes a job that waits for a person, and stays until one decides.
 */
export interface Printing {
  /** Printers as they are set now, with the prints that wait for each. */
  list(): readonly { readonly setting: PrinterSetting; readonly waiting: number }[];
  /** Resolves after the first attempt. @throws BridgeError NOT_FOUND for a printer that is not set */
  print(printerId: string, subject: PrintSubject, make: MakeBytes): Promise<FirstEnd>;
  /** One attempt, of which nothing is kept. @throws as print */
  test(printerId: string, make: MakeBytes): Promise<FirstEnd>;
  /** What has not come out: tried again now, or left to a person. */
  troubles(): readonly PrintJob[];
  /** A failed job, to be printed again or given up. @throws BridgeError NOT_FOUND, ILLEGAL_STATE */
  failed(jobId: string): PrintJob;
  /** A person decided: the job leaves the inbox. @throws as failed */
  dismiss(jobId: string): void;
  wasPrinted(transactionId: string, copy: ReceiptCopy): boolean;
  /** Notes a copy that was put out another way, as a file. */
  note(subject: PrintSubject): void;
  stop(): Promise<void>;
}

export function createPrinting(deps: PrintingDeps): Printing {
  const { journal, printers, settings, clock, ids, log } = deps;
  const queues = new Map<string, { readonly url: string; readonly queue: PrintQueue }>();
  const now = () => new Date(clock.nowMs()).toISOString();

  function save(job: PrintJob): void {
    try {
      journal.commit((unit) => unit.savePrintJob(job));
    } catch (error) {
      // The journal says itself when it fails; a print is no reason to end anything.
      log.error('a print job could not be noted', { reason: error instanceof Error ? error.message : 'unknown' });
    }
  }

  // What waited when the till ended may be on paper: a person looks.
  for (const job of journal.openPrintJobs(maxListedJobs)) {
    if (job.state === 'WAITING') save({ ...job, state: 'FAILED', sent: true, trouble: 'TILL_ENDED', updatedAt: now() });
  }

  function settingOf(printerId: string): PrinterSetting {
    const setting = settings.current().printers.find((printer) => printer.printerId === printerId);
    if (setting === undefined) throw new BridgeError('NOT_FOUND', 'there is no printer with this id');
    return setting;
  }

  function queueOf({ printerId, url }: PrinterSetting): PrintQueue {
    const known = queues.get(printerId);
    if (known?.url === url) return known.queue;
    // What waits for the old address ends with it.
    void known?.queue.stop('REMOVED');
    const queue = createPrintQueue(printers.create({ url }), clock);
    queues.set(printerId, { url, queue });
    return queue;
  }

  /** Never rejects: what cannot even be queued has failed. */
  function enqueue(setting: PrinterSetting, make: MakeBytes, job: PrintJob | undefined): Promise<FirstEnd> {
    let current = job;
    const { printerId } = setting;
    return new Promise((resolve) => {
      const onAttempt: QueuedPrint['onAttempt'] = (end, willRetry) => {
        if (current !== undefined) {
          current = afterAttempt(current, end, willRetry, now());
          save(current);
        }
        if (end.end !== 'PRINTED') log.warn('a print has failed', { reason: end.text });
        resolve(firstEndOf(end, willRetry));
      };
      try {
        const print = { isTest: job === undefined, make: () => make(settingOf(printerId)), onAttempt };
        if (queueOf(setting).add(print)) return;
        onAttempt(
          { end: 'NOT_PRINTED', trouble: 'UNREACHABLE', text: 'Too many prints wait for this printer.' },
          false,
        );
      } catch (error) {
        // An address that cannot be read stands in the file.
        const text = error instanceof Error ? error.message : 'unknown';
        onAttempt({ end: 'NOT_PRINTED', trouble: 'NOT_FOUND', text }, false);
      }
    });
  }

  function failed(jobId: string): PrintJob {
    const job = journal.findPrintJob(jobId);
    if (job === undefined) throw new BridgeError('NOT_FOUND', 'there is no print with this id');
    if (job.state !== 'FAILED') throw new BridgeError('ILLEGAL_STATE', 'this print needs nobody any more');
    return job;
  }

  const newJob = (printerId: string, subject: PrintSubject, fields: Pick<PrintJob, 'state' | 'sent'>): PrintJob => ({
    jobId: ids.next(),
    printerId,
    subject,
    ...fields,
    attempts: 0,
    createdAt: now(),
    updatedAt: now(),
  });

  return {
    list: () =>
      settings.current().printers.map((setting) => {
        const known = queues.get(setting.printerId);
        return { setting, waiting: known?.url === setting.url ? known.queue.waiting() : 0 };
      }),
    async print(printerId, subject, make) {
      const setting = settingOf(printerId);
      const job = newJob(printerId, subject, { state: 'WAITING', sent: false });
      save(job);
      return enqueue(setting, make, job);
    },
    test: async (printerId, make) => enqueue(settingOf(printerId), make, undefined),
    troubles: () =>
      journal.openPrintJobs(maxListedJobs).filter(({ state, trouble }) => state === 'FAILED' || trouble !== undefined),
    failed,
    dismiss: (jobId) => save({ ...failed(jobId), state: 'DISMISSED', updatedAt: now() }),
    wasPrinted: journal.wasReceiptPrinted,
    note: (subject) => save(newJob('FILE', subject, { state: 'PRINTED', sent: true })),
    async stop() {
      await Promise.all([...queues.values()].map(({ queue }) => queue.stop('TILL_ENDED')));
    },
  };
}

function afterAttempt(job: PrintJob, end: PrintEnd, willRetry: boolean, at: string): PrintJob {
  const { trouble: _before, ...rest } = job;
  const attempts = job.attempts + 1;
  if (end.end === 'PRINTED') return { ...rest, state: 'PRINTED', sent: true, attempts, updatedAt: at };
  return {
    ...rest,
    state: willRetry ? 'WAITING' : 'FAILED',
    sent: job.sent || end.end === 'PERHAPS_PRINTED',
    attempts,
    trouble: end.trouble,
    updatedAt: at,
  };
}

function firstEndOf(end: PrintEnd, willRetry: boolean): FirstEnd {
  if (end.end === 'PRINTED') return { state: 'PRINTED', isConfirmed: end.isConfirmed };
  return { state: willRetry ? 'WAITING' : 'FAILED', trouble: end.trouble };
}
