import { expect, it } from 'vitest';
import { settingsOf } from '../../app/config/settings.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { paperWords } from '../../app/receipts/paper-words.ts';
import { receiptDocument } from '../../app/receipts/receipt-document.ts';

const sale: TransactionResponse = {
  ...{ transactionId: 'tx-1', status: 'APPROVED', type: 'SALE', amount: 2_000, currency: 'EUR' },
  timestamp: '2026-11-27T10:00:00.000Z',
};

function paperOf(language: string, transaction: TransactionResponse): string {
  const settings = settingsOf({ timeZone: 'Europe/Berlin', language });
  const content = {
    kind: 'RECEIPT',
    copy: 'CUSTOMER',
    isDuplicate: false,
    transaction,
    terminalId: 'T1',
    receipts: [],
  } as const;
  return JSON.stringify(receiptDocument(content, settings, paperWords(settings)));
}

it.each([
  ['en', 'ACCEPTED OFFLINE', 'APPROVED'],
  ['de', 'OFFLINE ANGENOMMEN', 'GENEHMIGT'],
  ['fr', 'ACCEPTÉ HORS LIGNE', 'ACCEPTÉ'],
  ['es', 'ACEPTADA SIN CONEXIÓN', 'ACEPTADA'],
  ['it', 'ACCETTATO OFFLINE', 'AUTORIZZATO'],
])(
  'says on paper in %s that a sale was taken without its issuer, until that has approved it',
  (language, waits, paid) => {
    const words = (text: string) => `"${text}"`;
    const waiting = paperOf(language, { ...sale, deferredAuthorization: 'WAITING' });
    expect(waiting).toContain(words(waits));
    expect(waiting).not.toContain(words(paid));
    const authorized = paperOf(language, { ...sale, deferredAuthorization: 'AUTHORIZED' });
    expect(authorized).toContain(words(paid));
    expect(authorized).not.toContain(words(waits));
  },
);
