import { fromHex, toHex } from '../../drivers/framing/bytes.ts';
import type { ReaderBookSummary } from '../../drivers/virtual/neo2/book/reader-ledger.ts';
import { findChipCard } from '../../drivers/virtual/neo2/card/chip-cards.ts';
import { answerOfIssuer, isGenuineCryptogram } from '../../drivers/virtual/neo2/card/test-issuer.ts';
import { ISSUER_KEY } from '../../drivers/virtual/neo2/crypto/test-keys.ts';
import type { BenchIssuer } from './bench.ts';

type Pending = Parameters<BenchIssuer['answer']>[0];

export interface TestIssuer extends BenchIssuer {
  /** What he answers the next payment, instead of an approval. */
  declineNext(responseCode: string): void;
  /** Whether he approved the payment whose account data came under this key serial number. */
  hasApproved(accountKsn: string): boolean;
}

const ACCOUNT_KEY_SERIAL_NUMBER = 'DFEE12';

/** Answers for the reader's test cards. What he is told must be what the reader's book says of the same card step. */
export function createTestIssuer(readBook: () => ReaderBookSummary): TestIssuer {
  const approved = new Set<string>();
  let nextDecline: string | undefined;

  function stepOf(chipData: Pending['chipData']) {
    const accountKsn = chipData.emvTags[ACCOUNT_KEY_SERIAL_NUMBER];
    const step = readBook().steps.find((one) => one.accountKsn === accountKsn);
    if (step === undefined) throw new Error('The issuer was told of an account that the reader did not read.');
    return step;
  }

  return {
    answer({ chipData }) {
      const step = stepOf(chipData);
      if (approved.has(step.accountKsn)) throw new Error('The issuer was asked twice for one card step.');
      checkPin(readBook(), chipData);
      const responseCode = nextDecline ?? '00';
      nextDecline = undefined;
      if (responseCode === '00') approved.add(step.accountKsn);
      const issuerAuthData = authenticationData(step.card.id, chipData, responseCode);
      return {
        transactionId: 'T-1',
        responseCode,
        ...(responseCode === '00' ? { authorizationCode: '123456' } : {}),
        ...(issuerAuthData === undefined ? {} : { issuerAuthData }),
      };
    },
    unconfirmed: () =>
      readBook().steps.filter(
        ({ accountKsn, end }) => approved.has(accountKsn) && (end === 'OPEN' || end === 'ABANDONED'),
      ).length,
    declineNext(responseCode) {
      nextDecline = responseCode;
    },
    hasApproved: (accountKsn) => approved.has(accountKsn),
  };
}

/** Tag 91 for a chip; none for a stripe. */
function authenticationData(cardId: string, { emvTags }: Pending['chipData'], responseCode: string) {
  const card = findChipCard(cardId);
  if (card === undefined) return undefined;
  const tags = new Map(Object.entries(emvTags).map(([tag, hex]) => [tag, fromHex(hex)]));
  if (!isGenuineCryptogram(card, ISSUER_KEY, tags)) throw new Error('The issuer was told what the card did not sign.');
  return toHex(answerOfIssuer(card, ISSUER_KEY, tags, responseCode));
}

const ONLINE_PIN = 0x02;
const METHOD_MASK = 0x3f;

/** A card that left its PIN to the issuer comes with one that the reader sealed. */
function checkPin({ entries }: ReaderBookSummary, { emvTags, encryptedPinBlock, pinKsn }: Pending['chipData']): void {
  const [method = 0] = fromHex(emvTags['9F34'] ?? '');
  if ((method & METHOD_MASK) !== ONLINE_PIN) return;
  const isSealed = entries.some((entry) => entry.kind === 'PIN_SEALED' && entry.ksn === pinKsn);
  if (encryptedPinBlock === null || !isSealed) throw new Error('The issuer was asked without the PIN.');
}
