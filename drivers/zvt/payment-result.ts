// What the terminal told → how the command ended. Pure: no clock, no line.
import type { JsonObject } from '../../app/domain/json-value.ts';
import type { CancelReason, TerminalReceipt } from '../../app/domain/transaction.ts';
import type { DefiniteOutcome, TerminalCommand, TerminalRefusalCode } from '../../app/ports/terminal.ts';
import { toHex } from '../framing/bytes.ts';
import { authorizationCodeOf, cardFactsOf, schemeTotalsOf } from './card.ts';
import type { Abort, NegativeReply, StatusInformation } from './codec/message-types.ts';
import { judgePayment, judgeResultCode, type Outcome } from './codec/result-codes.ts';
import { receiptOf, traceOf } from './mark.ts';
import { amountOf, type MoneyCommand, movesMoney } from './operations.ts';
import { refusalCode } from './questions.ts';
import type { ZvtSettings } from './zvt-settings.ts';

export interface ResultContext {
  readonly command: TerminalCommand;
  readonly settings: ZvtSettings;
  readonly receipts: readonly TerminalReceipt[];
  /** Why a command ended that a key or a time-out ended (6C says no more). */
  readonly cancelReason: CancelReason;
}

/** Either a definite end, or why nothing may be concluded. */
export type Judged = DefiniteOutcome | { readonly kind: 'NO_CONCLUSION'; readonly message: string };

function hostCodes(settings: ZvtSettings): 'binary' | 'bcd' {
  return settings.issuerCodes === 'BCD' ? 'bcd' : 'binary';
}

/** 06 23 answers with the amount that was not used: there it proves nothing. */
function expectedAmount(command: MoneyCommand, settings: ZvtSettings): number | undefined {
  const answersWithRest = command.operation === 'PRE_AUTH_COMPLETE' && settings.completion === 'PARTIAL_REVERSAL';
  return answersWithRest ? undefined : amountOf(command);
}

/** Judges a status information of a command that moves money. */
export function judgeStatus(
  context: ResultContext & { readonly command: MoneyCommand },
  status: StatusInformation,
): Judged {
  const { command, settings, receipts } = context;
  const amountMinor = expectedAmount(command, settings);
  const asked = { currency: settings.currencyNumeric, ...(amountMinor === undefined ? {} : { amountMinor }) };
  const judged = judgePayment(status, asked, hostCodes(settings));
  if (judged.kind === 'mismatch' || judged.kind === 'unknown')
    return { kind: 'NO_CONCLUSION', message: inconclusiveWords(judged, status, context) };
  if (judged.kind !== 'approved') return refusedOutcome(context, judged, status);
  return {
    kind: 'APPROVED',
    card: cardFactsOf(status, '00'),
    ...(amountMinor === undefined || status.amountMinor === undefined ? {} : { chargedMinor: status.amountMinor }),
    reference: referenceOf(status),
    receipts,
  };
}

function inconclusiveWords(judged: Outcome, status: StatusInformation, { command, settings }: ResultContext): string {
  if (judged.kind === 'unknown') return `The terminal's result cannot be relied on: ${judged.meaning}`;
  const asked = movesMoney(command) ? amountOf(command) : 0;
  if (judged.reason === 'AMOUNT_DIFFERS')
    return `The terminal approved ${status.amountMinor} minor units, but ${asked} were asked.`;
  return `The terminal approved in currency ${status.currency}, but ${settings.currencyNumeric} (${settings.currency}) was asked.`;
}

/** What a later void, completion or refund needs, and what recovery compares. */
function referenceOf(status: StatusInformation): JsonObject {
  const values: { readonly [name: string]: string | number | undefined } = {
    receipt: receiptOf(status),
    trace: traceOf(status),
    date: status.date,
    time: status.time,
    terminalId: status.terminalId,
    amountMinor: status.amountMinor,
    authorizationCode: authorizationCodeOf(status),
    authorizationAttribute:
      status.authorizationAttribute === undefined ? undefined : toHex(status.authorizationAttribute),
  };
  const reference: { [name: string]: string | number } = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) reference[name] = value;
  return reference;
}

/** Codes after which another try with the card may help. */
const cardReadCodes: ReadonlySet<number> = new Set([0x64, 0x65, 0x72, 0x73, 0x7b, 0x7c, 0x7e]);

function refusedOutcome(context: ResultContext, judged: Outcome, status: StatusInformation | Abort): Judged {
  const { receipts } = context;
  switch (judged.kind) {
    case 'declined': {
      const card = status.type === 'status-information' ? cardFactsOf(status, judged.responseCode) : withCode(judged);
      return {
        kind: 'DECLINED',
        card,
        ...(judged.responseCode === undefined ? { reason: judged.meaning } : {}),
        receipts,
      };
    }
    case 'cancelled':
      return { kind: 'CANCELLED', reason: context.cancelReason, receipts };
    case 'failed':
      return {
        kind: 'FAILED',
        errorCode: cardReadCodes.has(status.resultCode ?? -1) ? 'CARD_READ_FAILED' : 'TERMINAL_ERROR',
        message: withExtendedError(judged.meaning, status),
        receipts,
      };
    default:
      return { kind: 'NO_CONCLUSION', message: judged.meaning };
  }
}

function withCode(judged: Outcome): { readonly responseCode?: string } {
  return judged.responseCode === undefined ? {} : { responseCode: judged.responseCode };
}

function withExtendedError(meaning: string, status: StatusInformation | Abort): string {
  const { extendedErrorCode: code, extendedErrorText: text } = status;
  const more = [code === undefined ? undefined : `code ${code}`, text].filter((part) => part !== undefined);
  return more.length === 0 ? meaning : `${meaning} (${more.join(': ')})`;
}

/** Judges 06 1E without a result before it: the terminal's definite end; nothing was charged. */
export function judgeAbort(context: ResultContext, abort: Abort): Judged {
  if (abort.resultCode === undefined)
    return {
      kind: 'FAILED',
      errorCode: 'TERMINAL_ERROR',
      message: 'The terminal ended the command without a reason.',
      receipts: context.receipts,
    };
  const judged = judgeResultCode(abort.resultCode, hostCodes(context.settings));
  if (judged.kind === 'approved')
    return { kind: 'NO_CONCLUSION', message: 'The terminal ended the command with code 00.' };
  return refusedOutcome(context, judged, abort);
}

const refusals: ReadonlyMap<number, TerminalRefusalCode> = new Map<number, TerminalRefusalCode>([
  [0x83, 'OPERATION_NOT_SUPPORTED'],
  [0x9c, 'TERMINAL_BUSY'],
  [0xa0, 'TERMINAL_BUSY'],
  [0x6b, 'TERMINAL_NOT_READY'],
  [0xb1, 'TERMINAL_NOT_READY'],
  [0xb2, 'TERMINAL_NOT_READY'],
  [0xc2, 'TERMINAL_NOT_READY'],
  [0xcc, 'TERMINAL_NOT_READY'],
  [0xdc, 'TERMINAL_NOT_READY'],
  [0xdf, 'TERMINAL_NOT_READY'],
  [0xe4, 'TERMINAL_NOT_READY'],
  [0xf0, 'TERMINAL_NOT_READY'],
]);

/** 84 xx in answer to the command: it did not begin. */
export function refusedReply(context: ResultContext, reply: NegativeReply): DefiniteOutcome {
  const code = refusalCode(reply);
  const { meaning } = judgeResultCode(code, hostCodes(context.settings));
  const errorCode = refusals.get(code);
  if (errorCode !== undefined)
    return { kind: 'NOT_STARTED', errorCode, message: `The terminal refused: ${dayCloseAdvice(code) ?? meaning}` };
  return {
    kind: 'FAILED',
    errorCode: 'TERMINAL_ERROR',
    message: `The terminal refused: ${meaning}`,
    receipts: context.receipts,
  };
}

function dayCloseAdvice(code: number): string | undefined {
  return code === 0xf0 || code === 0xb1 || code === 0xb2
    ? 'it wants its day closed first. Close the day, then try again.'
    : undefined;
}

/** 06 50: its figures, and whether it said no. */
export function judgeDayClose(context: ResultContext, status: StatusInformation | undefined): Judged {
  const code = status?.resultCode ?? 0;
  if (code !== 0) {
    const { meaning } = judgeResultCode(code);
    return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: meaning, receipts: context.receipts };
  }
  return {
    kind: 'APPROVED',
    card: {},
    reference: {},
    receipts: context.receipts,
    batch: {
      ...(status?.amountMinor === undefined ? {} : { totalMinor: status.amountMinor }),
      schemes: status?.totals === undefined ? [] : schemeTotalsOf(status.totals),
      ...(status === undefined || traceOf(status) === undefined ? {} : { batchReference: traceOf(status) ?? '' }),
    },
  };
}

/** 06 C0 and 06 03: no money moves. */
export function judgeReading(context: ResultContext, status: StatusInformation): Judged {
  const judged = judgeResultCode(status.resultCode ?? 0, hostCodes(context.settings));
  if (judged.kind !== 'approved') return refusedOutcome(context, judged, status);
  const card = cardFactsOf(status);
  if (context.command.operation !== 'BALANCE_INQUIRY')
    return { kind: 'APPROVED', card, reference: {}, receipts: context.receipts };
  if (status.amountMinor === undefined)
    return {
      kind: 'FAILED',
      errorCode: 'TERMINAL_ERROR',
      message: 'The terminal shows the balance to the cardholder only.',
      receipts: context.receipts,
    };
  const { amountMinor: balanceMinor } = status;
  return {
    kind: 'APPROVED',
    card: { ...card, responseCode: '00' },
    balanceMinor,
    reference: {},
    receipts: context.receipts,
  };
}
