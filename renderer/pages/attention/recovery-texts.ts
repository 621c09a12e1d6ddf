import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import type { Translate } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';

type Evidence = RecoveryTaskView['evidence'][number];

const reasonWords = {
  ANSWER_LOST: 'attention:reason.answerLost',
  NOT_REACHED: 'attention:reason.notReached',
  NO_ANSWER: 'attention:reason.noAnswer',
  NOT_READY: 'attention:reason.notReady',
  BUSY: 'attention:reason.busy',
  CARD_INSIDE: 'attention:reason.cardInside',
  TERMINAL_GONE: 'attention:reason.terminalGone',
  NO_RECEIPT: 'attention:reason.noReceipt',
  RECEIPT_UNCLEAR: 'attention:reason.receiptUnclear',
  NO_TOTALS: 'attention:reason.noTotals',
  TOTALS_UNCLEAR: 'attention:reason.totalsUnclear',
  ISSUER_UNSURE: 'attention:reason.issuerUnsure',
  RESULT_DIFFERS: 'attention:reason.resultDiffers',
  OFFLINE_DECLINED: 'attention:reason.offlineDeclined',
  REVERSAL_REFUSED: 'attention:reason.reversalRefused',
  REVERSAL_WAITS: 'attention:reason.reversalWaits',
  CAPTURE_REFUSED: 'attention:reason.captureRefused',
  RECORD_REFUSED: 'attention:reason.recordRefused',
} as const satisfies Record<NonNullable<RecoveryTaskView['reasonCode']>, TextKey>;

const questionWords = {
  COMMAND: 'attention:question.command',
  REGISTRATION: 'attention:question.registration',
  ABORT: 'attention:question.abort',
  LAST_RECEIPT: 'attention:question.lastReceipt',
  STATUS: 'attention:question.status',
  TOTALS: 'attention:question.totals',
  OUTCOME: 'attention:question.outcome',
  PERSON: 'attention:question.person',
  NONE: 'attention:question.none',
} as const satisfies Record<NonNullable<Evidence['questionCode']>, TextKey>;

const answerWords = {
  LOST: 'attention:answer.lost',
  NO_ANSWER: 'attention:answer.noAnswer',
  REFUSED: 'attention:answer.refused',
  READY: 'attention:answer.ready',
  STOPPED: 'attention:answer.stopped',
  RECEIPT: 'attention:answer.receipt',
  NO_RECEIPT: 'attention:answer.noReceipt',
  STATUS: 'attention:answer.status',
  FIGURES: 'attention:answer.figures',
  NO_FIGURES: 'attention:answer.noFigures',
  UNCLEAR: 'attention:answer.unclear',
  CLOSED: 'attention:answer.closed',
  DONE: 'attention:answer.done',
  NOT_DONE: 'attention:answer.notDone',
} as const satisfies Record<NonNullable<Evidence['answerCode']>, TextKey>;

/** Why an outcome is unknown, in the language of whoever reads; what has no code stands as the till wrote it. */
export function reasonText(
  t: Translate,
  { reason, reasonCode }: Pick<RecoveryTaskView, 'reason' | 'reasonCode'>,
): string {
  return reasonCode === undefined ? reason : t(reasonWords[reasonCode]);
}

export interface EvidenceText {
  readonly question: string;
  readonly answer: string;
  /** Particulars for support, as the till wrote them; undefined where they already stand above. */
  readonly technical?: string | undefined;
}

/** One question and its answer, in the language of whoever reads. */
export function evidenceText(t: Translate, evidence: Evidence): EvidenceText {
  const { question, answer, questionCode, answerCode } = evidence;
  if (questionCode === undefined || answerCode === undefined) return { question, answer };
  const said = t(answerWords[answerCode]);
  // What a person wrote is said in full; the kind of answer stands before it already.
  if (questionCode === 'PERSON') {
    const written = answer.slice(answer.indexOf(': ') + 2);
    return { question: t(questionWords.PERSON), answer: `${said} ${written}`, technical: question };
  }
  return { question: t(questionWords[questionCode]), answer: said, technical: `${question}: ${answer}` };
}
