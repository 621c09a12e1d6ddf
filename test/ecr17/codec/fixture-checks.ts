import type { Ecr17Command } from '../../../drivers/ecr17/codec/command-types.ts';
import type { Ecr17Message, HostTime } from '../../../drivers/ecr17/codec/message-types.ts';
import { receiptLines } from '../../../drivers/ecr17/codec/receipt-text.ts';
import type { Ecr17Expectation } from './fixture.ts';

type Decoded = Ecr17Command | Ecr17Message;
type Values = Readonly<Record<string, unknown>>;

const CARD_CHOICES = ['ANY', 'DEBIT', 'CREDIT', 'OTHER'];
const CARD_TYPES: Readonly<Record<string, string>> = { DEBIT: '1', CREDIT: '2', OTHER: '3' };
const two = (value: number) => String(value).padStart(2, '0');

/** What the fixture names in its own words, read from our values: a key that is missing here fails the test. */
const READERS: Readonly<Record<string, (values: Values, decoded: Decoded) => unknown>> = {
  terminalId: ({ terminalId }) => terminalId,
  tillId: ({ tillId }) => tillId,
  additionalData: ({ hasAdditionalData }) => hasAdditionalData === true,
  cardPresent: ({ isCardPresent }) => isCardPresent === true,
  paymentType: ({ cardChoice }) => String(CARD_CHOICES.indexOf(String(cardChoice ?? 'ANY'))),
  amount: ({ amountMinor }) => amountMinor,
  text: ({ text, receiptText }) => text ?? receiptText ?? '',
  preAuthCode: ({ preAuthorizationCode }) => preAuthorizationCode,
  on: ({ goToTill }) => goToTill,
  stan: ({ stan }) => stan ?? '000000',
  result: ({ result }) => result,
  transactionType: ({ entry }) => entry,
  authCode: ({ authorizationCode }) => authorizationCode,
  hostDateTime: ({ hostTime }) => {
    const { dayOfYear, hour, minute } = hostTime as HostTime;
    return `${String(dayOfYear).padStart(3, '0')}${two(hour)}${two(minute)}`;
  },
  dayOfYear: ({ hostTime }) => (hostTime as HostTime).dayOfYear,
  time: ({ hostTime }) => `${two((hostTime as HostTime).hour)}:${two((hostTime as HostTime).minute)}`,
  cardType: ({ cardType }) => CARD_TYPES[String(cardType)] ?? null,
  acquirerId: ({ acquirerId }) => acquirerId,
  onlineId: ({ onlineId }) => onlineId,
  actionCode: ({ actionCode }) => actionCode,
  posTotal: ({ terminalTotalMinor }) => terminalTotalMinor,
  hostTotal: ({ hostTotalMinor }) => hostTotalMinor,
  balanced: ({ terminalTotalMinor, hostTotalMinor }) => terminalTotalMinor === hostTotalMinor,
  outcome: ({ result }) => (result === '00' ? 'approved' : 'not-approved'),
  dateTime: ({ localTime }) => localTime,
  state: ({ state }) => state,
  software: ({ software }) => software,
  pan: (_, decoded) => ('pan' in decoded ? decoded.pan?.reveal().padStart(19, '0') : undefined),
  exchange: ({ exchange }) => exchangeOf(exchange),
  xml: (_, decoded) => ('xml' in decoded ? decoded.xml.reveal() : undefined),
  xmlLength: (values, decoded) => values.xmlLength ?? ('xml' in decoded ? decoded.xml.reveal().length : undefined),
  more: ({ hasMore }) => hasMore,
  idMessage: ({ part }) => part,
  isoField: ({ isoField }) => String(isoField),
  tag: ({ tag }) => tag,
  content: (_, decoded) => contentOf(decoded),
  data: (_, decoded) => contentOf(decoded),
  dataLength: (_, decoded) => contentOf(decoded)?.length,
  receiptText: ({ text }) => text,
  lines: ({ text }) =>
    receiptLines(String(text)).map(({ text: words, isBold }) => ({
      text: words,
      ...(isBold === true ? { bold: true, doubleHeight: true } : {}),
    })),
  end: ({ isLast }) => isLast,
  textLength: ({ text, isLast }) => String(text).length + (isLast === true ? 7 : 0),
};
/** Checked with the frame, or for people. */
const OTHER_KEYS = new Set(['type', 'lrcMode', 'lrc', 'messageLength', 'message', 'messageHex', 'note', 'code']);

/** The keys of an expectation that this file reads, with their values and ours. */
export function compared(
  expectation: Ecr17Expectation,
  decoded: Decoded,
): { readonly ours: Values; readonly theirs: Values } {
  const keys = Object.keys(expectation).filter((key) => !OTHER_KEYS.has(key));
  const values = { ...decoded } as Values;
  return {
    ours: Object.fromEntries(keys.map((key) => [key, READERS[key]?.(values, decoded) ?? missing(key)])),
    theirs: Object.fromEntries(keys.map((key) => [key, expectation[key]])),
  };
}

function missing(key: string): unknown {
  if (key in READERS) return null;
  throw new Error(`No check for ${key}`);
}

function contentOf(decoded: Decoded): string | undefined {
  return 'content' in decoded ? decoded.content.reveal() : undefined;
}

function exchangeOf(exchange: unknown): unknown {
  if (exchange === undefined) return { applied: false };
  const { rate, currency, amountMinor, decimals } = exchange as {
    readonly rate: string;
    readonly currency: string;
    readonly amountMinor: number;
    readonly decimals: number;
  };
  return { applied: true, rate, rateDecimals: 4, currency, amount: amountMinor, precision: decimals };
}
