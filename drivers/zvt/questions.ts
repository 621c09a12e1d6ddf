// What the till asks a terminal without moving money: registration, status, last receipt, totals, abort.
import { toHex } from '../framing/bytes.ts';
import type { ZvtCharset } from './codec/charset.ts';
import { REPEAT_WITHOUT_PRINTING } from './codec/command-codes.ts';
import type { ZvtCommand } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import type {
  EndOfDayTotals,
  NegativeReply,
  RegistrationStatus,
  StatusInformation,
  ZvtMessage,
} from './codec/message-types.ts';
import { progressOf } from './codec/status-tables.ts';
import type { Answer, ExchangeResult, LostReason, ZvtConnection } from './connection.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

/** The terminal refused: the code of 84 xx, of 84 1E's data, or of 06 1E. */
export interface Refused {
  readonly kind: 'REFUSED';
  readonly code: number | undefined;
  /** Currency that the terminal would accept (84 1E 6F), numeric. */
  readonly currency?: string;
}

/** No answer came: the link was lost or the time ran out. */
export interface Silent {
  readonly kind: 'SILENT';
  readonly reason: LostReason;
  readonly words: string;
}

export interface Registered {
  readonly kind: 'REGISTERED';
  readonly status?: RegistrationStatus;
  readonly terminalId?: string;
  readonly charset?: ZvtCharset;
}

interface TerminalState {
  readonly kind: 'STATUS';
  readonly code: number;
  readonly softwareVersion?: string;
}

export interface LastReceipt {
  readonly kind: 'RECEIPT';
  readonly status: StatusInformation;
  readonly hasReversed: boolean;
}

export interface Turnover {
  readonly kind: 'TURNOVER';
  readonly totalMinor: number | undefined;
  readonly totals: EndOfDayTotals | undefined;
}

export interface Questions {
  register(): Promise<Registered | Refused | Silent>;
  /** UNCLEAR: answered, but not with a status (it may be in the middle of something). */
  status(): Promise<TerminalState | Refused | Silent | { readonly kind: 'UNCLEAR' }>;
  /** NOTHING: the command ended without a receipt: some terminals answer so unless they print (silence is no answer). */
  lastReceipt(): Promise<LastReceipt | Refused | Silent | { readonly kind: 'NOTHING' }>;
  turnover(): Promise<Turnover | Refused | Silent>;
  /** Over when the terminal has completed the abort too, or has had the time for it. */
  abort(): Promise<{ readonly kind: 'ACCEPTED' } | Refused | Silent>;
  /** Runs a command that repairs the terminal (06 93, 06 70). */
  repair(type: 'initialisation' | 'diagnosis'): Promise<{ readonly kind: 'DONE' } | Refused | Silent>;
}

/** Text blocks have to be allowed by name (TLV 26/0A), or a terminal sends single lines. */
const TEXT_BLOCK = 0x06d3;
const asked = {
  ending: 'MESSAGE',
  completionTimeoutMs: zvtLimits.questionTimeoutMs,
  ignoresEarlierEnd: true,
} as const;
/** Recommended by card complete: the service menu stays off the function key. */
const SERVICE_BYTE = 0x01;

export function registrationCommand(settings: ZvtSettings): ZvtCommand {
  const isTill = settings.receipts === 'TILL';
  return {
    type: 'registration',
    password: settings.password,
    config: {
      doesTillPrintPayments: isTill,
      doesTillPrintAdministration: isTill,
      wantsIntermediateStatus: true,
      doesTillControlPayments: true,
      doesTillControlAdministration: true,
      wantsReceiptLines: isTill,
    },
    currency: settings.currencyNumeric,
    serviceByte: SERVICE_BYTE,
    usesTlv: true,
    permittedCommands: [TEXT_BLOCK],
  };
}

export function repeatReceiptCommand(settings: ZvtSettings): ZvtCommand {
  return { type: 'repeat-receipt', password: settings.password, serviceByte: REPEAT_WITHOUT_PRINTING };
}

/** How long the end of an abort of nothing is waited for; learned of one terminal, and kept from connection to connection. */
export interface AbortPatience {
  endMs: number;
}

/** Questions to the terminal behind one connection. `serve` takes what belongs to no question. */
export function createQuestions(
  connection: ZvtConnection,
  settings: ZvtSettings,
  patience: AbortPatience,
  serve: (message: ZvtMessage) => Answer,
): Questions {
  let isAfterAbort = false;

  /** A question that an abort swallowed: that terminal sends the end of an abort late, and takes nothing else before. */
  async function put(request: Parameters<ZvtConnection['exchange']>[0]): Promise<ExchangeResult> {
    const result = await connection.exchange(request);
    if (isAfterAbort && result.kind === 'LOST' && result.reason === 'REPLY_TIMEOUT')
      patience.endMs = zvtLimits.lateAbortEndMs;
    isAfterAbort = false;
    return result;
  }

  return {
    async register() {
      const command = registrationCommand(settings);
      let toldTerminalId: string | undefined;
      const result = await put({
        ...asked,
        command,
        answerTo: 'REGISTRATION',
        handle: (message) => {
          // Some terminals name themselves in a status information before the completion.
          if (message.type === 'status-information') toldTerminalId = message.terminalId;
          return serve(message);
        },
      });
      if (result.kind !== 'COMPLETED' || result.message.type === 'abort') return negative(result);
      const { message } = result;
      const terminalId = message.terminalId ?? toldTerminalId;
      connection.setCharset(message.charset);
      return {
        kind: 'REGISTERED',
        ...(message.type === 'completion' && message.registration !== undefined
          ? { status: message.registration }
          : {}),
        ...(terminalId === undefined ? {} : { terminalId }),
        ...(message.charset === undefined ? {} : { charset: message.charset }),
      };
    },

    async status() {
      let told: StatusInformation | undefined;
      const result = await put({
        ...asked,
        command: { type: 'status-enquiry', password: settings.password },
        answerTo: 'STATUS_ENQUIRY',
        keepsLinkOnSilence: true,
        handle: (message) => {
          // The end of something that the terminal began by itself may arrive in place of the answer.
          if (message.type === 'completion' && message.terminalStatus !== undefined) return 'ACKNOWLEDGE';
          if (message.type === 'status-information' && message.totals === undefined) told = message;
          return serve(message);
        },
      });
      if (result.kind !== 'COMPLETED' || result.message.type === 'abort') return negative(result);
      const { message } = result;
      // Some terminals answer with a status information and an empty completion.
      const code = message.type === 'completion' ? (message.terminalStatus ?? told?.resultCode) : undefined;
      if (message.type !== 'completion' || code === undefined) return { kind: 'UNCLEAR' };
      return {
        kind: 'STATUS',
        code,
        ...(message.softwareVersion === undefined ? {} : { softwareVersion: message.softwareVersion }),
      };
    },

    async lastReceipt() {
      let status: StatusInformation | undefined;
      let hasReversed = false;
      const result = await put({
        ...asked,
        command: repeatReceiptCommand(settings),
        handle: (message) => {
          if (message.type === 'status-information') status = message;
          if (isAutoReversal(message)) hasReversed = true;
          return 'ACKNOWLEDGE';
        },
      });
      if (status !== undefined && result.kind === 'COMPLETED') return { kind: 'RECEIPT', status, hasReversed };
      if (result.kind === 'COMPLETED' && result.message.type !== 'abort') return { kind: 'NOTHING' };
      return negative(result);
    },

    async turnover() {
      let status: StatusInformation | undefined;
      const result = await put({
        ...asked,
        completionTimeoutMs: zvtLimits.turnoverTimeoutMs,
        command: { type: 'turnover-totals', password: settings.password },
        handle: (message) => {
          if (message.type === 'status-information') status = message;
          return 'ACKNOWLEDGE';
        },
      });
      if (result.kind !== 'COMPLETED' || result.message.type === 'abort') return negative(result);
      return { kind: 'TURNOVER', totalMinor: status?.amountMinor, totals: status?.totals };
    },

    async abort() {
      const result = await connection.exchange({
        command: { type: 'abort-command' },
        // Left to come later, the end of the abort would be taken for the end of the next question.
        ending: 'REPLY_OR_MESSAGE',
        completionTimeoutMs: patience.endMs,
        ignoresEarlierEnd: true,
        keepsLinkOnSilence: true,
      });
      isAfterAbort = result.kind === 'REPLIED';
      return result.kind === 'REPLIED' || result.kind === 'COMPLETED' ? { kind: 'ACCEPTED' } : negative(result);
    },

    async repair(type) {
      const command: ZvtCommand = type === 'diagnosis' ? { type } : { type, password: settings.password };
      const result = await connection.exchange({
        command,
        ending: 'MESSAGE',
        ignoresEarlierEnd: true,
        handle: () => 'ACKNOWLEDGE',
      });
      return result.kind === 'COMPLETED' && result.message.type !== 'abort' ? { kind: 'DONE' } : negative(result);
    },
  };
}

export function isAutoReversal(message: ZvtMessage): boolean {
  return (
    message.type === 'intermediate-status' &&
    message.status !== undefined &&
    progressOf(message.status).kind === 'auto-reversal'
  );
}

/** 84 1E carries the cause in its data. */
export function refusalCode(reply: NegativeReply): number {
  return reply.resultCode ?? reply.errorId;
}

function negative(result: ExchangeResult): Refused | Silent {
  if (result.kind === 'REFUSED') {
    const { currency } = result.reply;
    return { kind: 'REFUSED', code: refusalCode(result.reply), ...(currency === undefined ? {} : { currency }) };
  }
  if (result.kind === 'COMPLETED') return { kind: 'REFUSED', code: result.message.resultCode };
  if (result.kind === 'LOST') return { kind: 'SILENT', reason: result.reason, words: result.message };
  return { kind: 'SILENT', reason: 'UNREADABLE', words: 'an answer without content' };
}

/** Bytes of a command in words fit for a record: digits of the password and of cards are left out. */
export function bytesInWords(command: ZvtCommand, password: string): string {
  const hex = toHex(encodeCommand(command)).replace(/(..)(?=.)/g, '$1 ');
  const passwordHex = password.replace(/(..)(?=.)/g, '$1 ');
  // The password stands at a fixed place, right behind the length byte.
  return 'password' in command && hex.startsWith(passwordHex, 9) ? `${hex.slice(0, 9)}•• •• ••${hex.slice(17)}` : hex;
}
