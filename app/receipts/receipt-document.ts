import type { TransactionResponse } from '../contract/transactions.ts';
import type { TerminalReceipt } from '../domain/transaction.ts';
import type { PaperContent } from '../ports/paper.ts';
import type { Settings } from '../ports/settings.ts';
import { type PaperDocument, type PaperLine, pair, rule, space, text } from './paper-document.ts';
import type { PaperWords } from './paper-words.ts';
import type { PaperTexts } from './texts/paper-texts.ts';

type ReceiptContent = Extract<PaperContent, { kind: 'RECEIPT' }>;
type Shop = Pick<Settings, 'merchantName' | 'receiptHeader' | 'receiptFooter'>;

/** One copy of a receipt: the terminal's own text where it gave one, else what the till knows. */
export function receiptDocument(content: ReceiptContent, shop: Shop, words: PaperWords): PaperDocument {
  const { copy, isDuplicate, transaction, receipts } = content;
  const { texts } = words;
  const own = receipts.find(({ kind }) => kind === copy);
  const isTraining = transaction.simulated === true;
  const trainingMark = isTraining
    ? [text(texts.training, { isCentred: true, isBold: true, isLarge: true }), centred(texts.trainingHint), space]
    : [];
  return {
    title: `${texts.copy[copy]} ${transaction.transactionId}`,
    form: 'RECEIPT',
    lines: [
      ...trainingMark,
      ...shopLines(shop, own !== undefined),
      ...(isDuplicate ? [text(texts.duplicate, { isCentred: true, isBold: true, isLarge: true }), space] : []),
      ...(own === undefined ? composedLines(content, words) : terminalLines(own)),
      ...(shop.receiptFooter.length === 0 ? [] : [space, ...shop.receiptFooter.map(centred)]),
      ...(isTraining ? [space, text(texts.training, { isCentred: true, isBold: true, isLarge: true })] : []),
    ],
  };
}

function centred(line: string): PaperLine {
  return text(line, { isCentred: true });
}

/** The terminal's text names the shop by itself. */
function shopLines({ merchantName, receiptHeader }: Shop, isNamedBelow: boolean): readonly PaperLine[] {
  const name = isNamedBelow ? [] : [text(merchantName, { isCentred: true, isBold: true })];
  const lines = [...name, ...receiptHeader.map(centred)];
  return lines.length === 0 ? [] : [...lines, space];
}

function terminalLines({ lines }: TerminalReceipt): readonly PaperLine[] {
  return lines.map((line) =>
    text(line.text, {
      isCentred: line.centred === true,
      isLarge: line.doubleWidth === true || line.doubleHeight === true,
    }),
  );
}

function composedLines(content: ReceiptContent, words: PaperWords): readonly PaperLine[] {
  const { copy, transaction, terminalId } = content;
  const { texts, money, time } = words;
  const { fact } = texts;
  const { currency, tipAmount = 0, cashbackAmount = 0 } = transaction;
  const isBalance = transaction.type === 'BALANCE_INQUIRY';
  const hasParts = tipAmount + cashbackAmount > 0;
  const part = (minor: number) => (minor === 0 ? undefined : money(minor, currency));
  const card = [transaction.cardScheme ?? transaction.applicationLabel, transaction.maskedPan]
    .filter(Boolean)
    .join(' ');
  const total = transaction.amount + tipAmount + cashbackAmount;
  const needsSignature = copy === 'MERCHANT' && transaction.cvmResult?.endsWith('SIGNATURE') === true;
  return [
    text(texts.operation[transaction.type], { isCentred: true, isBold: true }),
    centred(texts.copy[copy]),
    space,
    ...pair(fact.dateTime, time(transaction.timestamp)),
    ...pair(fact.terminal, terminalId),
    ...pair(fact.merchantId, transaction.receiptData?.merchantId),
    ...pair(fact.card, card),
    ...pair(fact.entry, wordOf(texts.entry, transaction.entryMode)),
    ...pair(fact.verified, wordOf(texts.verified, transaction.cvmResult)),
    ...pair(fact.aid, transaction.aid),
    ...pair(fact.authorization, transaction.authorizationCode),
    ...pair(fact.reference, transaction.referenceId),
    ...pair(fact.transactionId, transaction.transactionId),
    rule,
    ...pair(fact.amount, hasParts ? money(transaction.amount, currency) : undefined),
    ...pair(fact.tip, part(tipAmount)),
    ...pair(fact.cashback, part(cashbackAmount)),
    ...pair(isBalance ? fact.balance : fact.total, money(total, currency), true),
    rule,
    text(statusWord(transaction, texts), { isCentred: true, isBold: true }),
    ...(needsSignature ? [space, space, rule, centred(texts.signature)] : []),
  ];
}

function statusWord(transaction: TransactionResponse, { status: words }: PaperTexts): string {
  const { status, outcome, deferredAuthorization } = transaction;
  if (status === 'APPROVED' && deferredAuthorization === 'WAITING') return words.acceptedOffline;
  if (status === 'APPROVED') return words.approved;
  if (status === 'DECLINED') return words.declined;
  if (status === 'CANCELLED') return words.cancelled;
  return outcome?.charged === 'NO' ? words.notDone : words.unknown;
}

/** Known values have a word; a value that came later is shown as it is. */
function wordOf(words: Readonly<Record<string, string>>, value: string | undefined): string | undefined {
  return value === undefined ? undefined : (words[value] ?? value);
}
