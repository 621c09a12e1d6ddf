import type { BookOperation, Enquiry } from './book/entries.ts';

/** Words a terminal shows and prints. Real ZVT terminals speak German; English is for those who try the till elsewhere. */
export interface TerminalTexts {
  readonly idle: readonly [string, string];
  readonly sale: string;
  readonly preAuth: string;
  readonly completion: string;
  readonly release: string;
  readonly void: string;
  readonly refund: string;
  readonly balance: string;
  readonly verification: string;
  readonly readCard: string;
  readonly presentCard: string;
  readonly enterPin: string;
  readonly wrongPin: string;
  readonly pleaseWait: string;
  readonly connecting: string;
  readonly approved: string;
  readonly declined: string;
  readonly cancelledByHolder: string;
  readonly cancelled: string;
  readonly reversed: string;
  readonly removeCard: string;
  readonly unreadable: string;
  readonly restarting: string;
  readonly dayClose: string;
  readonly merchantReceipt: string;
  readonly customerReceipt: string;
  readonly cardNumber: string;
  readonly receiptNumber: string;
  readonly expiry: string;
  readonly paid: string;
  readonly authorizationCode: string;
  readonly amount: string;
  readonly signature: string;
  readonly thanks: string;
  readonly totals: string;
  readonly count: string;
  readonly sum: string;
  readonly decimalMark: string;
}

export type Language = 'en' | 'de';

export const TEXTS: Readonly<Record<Language, TerminalTexts>> = {
  en: {
    idle: ['Virtual terminal', 'No real money'],
    sale: 'SALE',
    preAuth: 'PRE-AUTHORIZATION',
    completion: 'COMPLETION',
    release: 'RELEASE',
    void: 'VOID',
    refund: 'REFUND',
    balance: 'BALANCE',
    verification: 'CARD CHECK',
    readCard: 'READ CARD',
    presentCard: 'Insert or tap card',
    enterPin: 'Enter PIN',
    wrongPin: 'Wrong PIN',
    pleaseWait: 'Please wait',
    connecting: 'Connecting to host',
    approved: 'Approved',
    declined: 'Declined',
    cancelledByHolder: 'Cancelled by customer',
    cancelled: 'Cancelled',
    reversed: 'Payment reversed',
    removeCard: 'Please remove card',
    unreadable: 'Card cannot be read',
    restarting: 'Restarting',
    dayClose: 'DAY CLOSE',
    merchantReceipt: 'MERCHANT COPY',
    customerReceipt: 'CUSTOMER COPY',
    cardNumber: 'No:',
    receiptNumber: 'Receipt:',
    expiry: 'Expiry:',
    paid: 'APPROVED',
    authorizationCode: 'AUTH.:',
    amount: 'TOTAL:',
    signature: 'Signature:',
    thanks: 'THANK YOU',
    totals: 'TOTALS',
    count: 'Count',
    sum: 'Total',
    decimalMark: '.',
  },
  de: {
    idle: ['Virtuelles Terminal', 'Kein echtes Geld'],
    sale: 'VERKAUF',
    preAuth: 'RESERVIERUNG',
    completion: 'BUCHUNG',
    release: 'FREIGABE',
    void: 'STORNO',
    refund: 'GUTSCHRIFT',
    balance: 'GUTHABEN',
    verification: 'KARTENPRÜFUNG',
    readCard: 'KARTE LESEN',
    presentCard: 'Karte einstecken/vorhalten',
    enterPin: 'Geheimzahl eingeben',
    wrongPin: 'Geheimzahl falsch',
    pleaseWait: 'Bitte warten',
    connecting: 'Verbindung zum Host',
    approved: 'Zahlung erfolgt',
    declined: 'Abgelehnt',
    cancelledByHolder: 'Abbruch durch Kunde',
    cancelled: 'Abbruch',
    reversed: 'Zahlung storniert',
    removeCard: 'Karte entnehmen',
    unreadable: 'Karte nicht lesbar',
    restarting: 'Neustart',
    dayClose: 'KASSENSCHNITT',
    merchantReceipt: 'HÄNDLERBELEG',
    customerReceipt: 'KUNDENBELEG',
    cardNumber: 'Nr:',
    receiptNumber: 'Beleg-Nr:',
    expiry: 'Ablaufdatum:',
    paid: 'BEZAHLT',
    authorizationCode: 'GEN.NR.:',
    amount: 'BETRAG:',
    signature: 'Unterschrift:',
    thanks: 'VIELEN DANK',
    totals: 'UMSÄTZE',
    count: 'Anzahl',
    sum: 'Gesamt',
    decimalMark: ',',
  },
};

/** An amount as people write it, e.g. 2,00 for 200 with two decimals. */
export function formatAmount(amountMinor: number, exponent: number, texts: TerminalTexts): string {
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  if (exponent === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -exponent)}${texts.decimalMark}${digits.slice(-exponent)}`;
}

export function operationName(texts: TerminalTexts, operation: BookOperation | Enquiry): string {
  const names: Readonly<Record<BookOperation | Enquiry, string>> = {
    SALE: texts.sale,
    PRE_AUTH: texts.preAuth,
    COMPLETION: texts.completion,
    RELEASE: texts.release,
    VOID: texts.void,
    REFUND: texts.refund,
    BALANCE: texts.balance,
    VERIFICATION: texts.verification,
  };
  return names[operation];
}
