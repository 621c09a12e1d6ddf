import type { DayPreview } from '../../contract/console/day.ts';
import type { DayDifference } from '../../contract/settlements.ts';
import type { CvmResult, EntryMode, TransactionType } from '../../contract/transactions.ts';

/** The words on paper, in one language. */
export interface PaperTexts {
  readonly operation: Readonly<Record<TransactionType, string>>;
  readonly copy: { readonly CUSTOMER: string; readonly MERCHANT: string };
  readonly duplicate: string;
  /** In large letters. */
  readonly training: string;
  readonly trainingHint: string;
  readonly status: {
    readonly approved: string;
    /** The goods are given, and the issuer is asked later. */
    readonly acceptedOffline: string;
    readonly declined: string;
    readonly cancelled: string;
    readonly notDone: string;
    readonly unknown: string;
  };
  readonly entry: Readonly<Partial<Record<EntryMode, string>>>;
  readonly verified: Readonly<Partial<Record<CvmResult, string>>>;
  readonly fact: {
    readonly dateTime: string;
    readonly terminal: string;
    readonly merchantId: string;
    readonly card: string;
    readonly entry: string;
    readonly verified: string;
    readonly aid: string;
    readonly authorization: string;
    readonly reference: string;
    readonly transactionId: string;
    readonly amount: string;
    readonly tip: string;
    readonly cashback: string;
    readonly total: string;
    readonly balance: string;
  };
  readonly signature: string;
  readonly report: {
    readonly z: string;
    readonly x: string;
    readonly shop: string;
    readonly terminal: string;
    readonly merchantId: string;
    readonly businessDay: string;
    readonly closedAt: string;
    readonly closedBy: string;
    readonly asOf: string;
    readonly notClosed: string;
    readonly count: string;
    readonly amount: string;
    readonly sales: string;
    readonly refunds: string;
    readonly voids: string;
    readonly net: string;
    readonly holds: string;
    readonly tips: string;
    readonly cashback: string;
    readonly byCashier: string;
    readonly byScheme: string;
    readonly otherCards: string;
    readonly journal: string;
    readonly terminalFigures: string;
    readonly agrees: string;
    readonly notCompared: string;
    readonly differences: string;
    readonly totalDifference: string;
    readonly hostFigures: string;
    readonly hostWaits: string;
    readonly hostRefused: string;
    readonly named: string;
    readonly causes: Readonly<Record<DayDifference['cause'], string>>;
    readonly owners: Readonly<Record<DayDifference['owner'], string>>;
    readonly journalHash: string;
    readonly row: string;
    readonly blockers: Readonly<Record<DayPreview['blockers'][number]['reason'], string>>;
    readonly open: string;
    readonly page: string;
  };
  readonly test: { readonly title: string; readonly works: string; readonly letters: string };
}
