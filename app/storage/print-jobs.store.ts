import type { PrinterTroubleKind, PrintJob, PrintSubject, ReceiptCopy } from '../domain/print-job.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  job_id: string;
  printer_id: string;
  kind: PrintSubject['kind'];
  subject_id: string;
  copy: ReceiptCopy | null;
  state: PrintJob['state'];
  sent: number;
  attempts: number;
  trouble: PrinterTroubleKind | null;
  created_at: string;
  updated_at: string;
}

const columns = 'job_id, printer_id, kind, subject_id, copy, state, sent, attempts, trouble, created_at, updated_at';

export function createPrintJobReader(
  handle: ReadHandle,
): Pick<JournalReader, 'openPrintJobs' | 'findPrintJob' | 'wasReceiptPrinted'> {
  const open = handle.read<Stored>(
    `SELECT ${columns} FROM print_jobs WHERE state IN ('WAITING', 'FAILED') ORDER BY created_at, job_id LIMIT ?`,
  );
  const one = handle.read<Stored>(`SELECT ${columns} FROM print_jobs WHERE job_id = ?`);
  const sent = handle.read<{ found: number }>(
    'SELECT 1 AS found FROM print_jobs WHERE subject_id = ? AND copy = ? AND sent = 1 LIMIT 1',
  );
  return {
    openPrintJobs: (limit) => open.all(limit).map(jobOf),
    findPrintJob(jobId) {
      const row = one.get(jobId);
      return row === undefined ? undefined : jobOf(row);
    },
    wasReceiptPrinted: (transactionId, copy) => sent.get(transactionId, copy) !== undefined,
  };
}

function jobOf(row: Stored): PrintJob {
  return {
    jobId: row.job_id,
    printerId: row.printer_id,
    subject: subjectOf(row),
    state: row.state,
    sent: row.sent === 1,
    attempts: row.attempts,
    ...(row.trouble === null ? {} : { trouble: row.trouble }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function subjectOf({ kind, subject_id, copy }: Stored): PrintSubject {
  if (kind === 'RECEIPT') return { kind, transactionId: subject_id, copy: copy ?? 'CUSTOMER' };
  return kind === 'Z_REPORT' ? { kind, settlementId: subject_id } : { kind, terminalId: subject_id };
}

export function createPrintJobWriter(handle: WriteHandle): Pick<JournalUnit, 'savePrintJob'> {
  const save = handle.write(
    `INSERT INTO print_jobs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (job_id) DO UPDATE SET state = excluded.state, sent = excluded.sent, attempts = excluded.attempts,
       trouble = excluded.trouble, updated_at = excluded.updated_at`,
  );
  return {
    savePrintJob(job) {
      const { subject } = job;
      save.run(
        job.jobId,
        job.printerId,
        subject.kind,
        subjectIdOf(subject),
        subject.kind === 'RECEIPT' ? subject.copy : null,
        job.state,
        job.sent ? 1 : 0,
        job.attempts,
        job.trouble ?? null,
        job.createdAt,
        job.updatedAt,
      );
    },
  };
}

function subjectIdOf(subject: PrintSubject): string {
  if (subject.kind === 'RECEIPT') return subject.transactionId;
  return subject.kind === 'Z_REPORT' ? subject.settlementId : subject.terminalId;
}
