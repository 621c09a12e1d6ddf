import { describe, expect, test } from 'vitest';
import {
  declineFor,
  declineOfCardholder,
  issuerCodes,
  reportedCode,
  verdictOf,
} from '../../app/contract/issuer-answers.ts';
import { Decline } from '../../app/contract/transactions.ts';
import { validate } from '../../app/contract/validate.ts';
import { decisions } from './spec-document.ts';

interface DecidedRow {
  readonly codes: readonly string[];
  readonly category: string;
  readonly retryClass: string;
}

/** The table of section 4; rows whose class or code depends on the context are tested by hand below. */
function decidedRows(): DecidedRow[] {
  return [...decisions.matchAll(/^\| ([^|]+) \| ([A-Z_]+) \| ([^|]+) \|$/gm)].map(
    ([, codes = '', category = '', retryClass = '']) => ({
      codes: codes.match(/\b[0-9A-Z]{2}\b/g) ?? [],
      category,
      retryClass: retryClass.match(/^[A-Z_]+/)?.[0] ?? '',
    }),
  );
}

describe('the table of issuer answers', () => {
  const plainRows = decidedRows().filter(
    ({ codes }) => !codes.includes('65') && !codes.includes('Z1') && codes.length > 0,
  );

  test('is read from the decisions as a whole', () => {
    expect(decidedRows().length).toBeGreaterThanOrEqual(20);
    const decided = new Set(decidedRows().flatMap(({ codes }) => codes));
    expect([...issuerCodes].sort()).toEqual([...decided, '09', '68', '94'].sort());
  });

  test.each(
    plainRows.flatMap(({ codes, category, retryClass }) => codes.map((code) => [code, category, retryClass] as const)),
  )('%s is %s, %s', (code, category, retryClass) => {
    const decline = declineFor(code, { entryMode: 'CONTACT' });
    expect(decline).toMatchObject({ category, retryClass, networkResponseCode: code });
    expect(decline.retryable).toBe(retryClass === 'LATER' || retryClass === 'FIX_AND_RETRY');
  });

  test('65 is a limit with contact and asks for the PIN when contactless', () => {
    expect(declineFor('65', { entryMode: 'CONTACT' })).toMatchObject({
      category: 'LIMIT_EXCEEDED',
      retryClass: 'LATER',
    });
    expect(declineFor('61', { entryMode: 'CONTACTLESS' })).toMatchObject({ category: 'LIMIT_EXCEEDED' });
    const contactless = declineFor('65', { entryMode: 'CONTACTLESS' });
    expect(contactless).toMatchObject({
      category: 'AUTHENTICATION_REQUIRED',
      retryClass: 'FIX_AND_RETRY',
      networkResponseCode: '65',
    });
  });

  test.each(['14', '82', 'N7'])('%s wants another card at the till and a correction when keyed or online', (code) => {
    expect(declineFor(code, { entryMode: 'CONTACTLESS' })).toMatchObject({
      category: 'INVALID_CARD',
      retryClass: 'OTHER_CARD',
    });
    for (const context of [{ isKeyedOrOnline: true }, { entryMode: 'MANUAL' }]) {
      expect(declineFor(code, context)).toMatchObject({
        category: 'INVALID_CARD',
        retryClass: 'FIX_AND_RETRY',
        retryable: true,
      });
    }
  });

  test('Z1 wants another card and Z3 may work later', () => {
    expect(declineFor('Z1')).toMatchObject({ category: 'OFFLINE_DECLINED', retryClass: 'OTHER_CARD' });
    expect(declineFor('Z3')).toMatchObject({ category: 'OFFLINE_DECLINED', retryClass: 'LATER' });
  });

  test('any other code, and none, is UNKNOWN and wants another card', () => {
    for (const code of ['77', 'ZZ', undefined])
      expect(declineFor(code)).toMatchObject({ category: 'UNKNOWN', retryClass: 'OTHER_CARD', retryable: false });
    expect(declineFor(undefined)).not.toHaveProperty('networkResponseCode');
    expect(declineOfCardholder()).toMatchObject({
      category: 'CARDHOLDER_CANCELLED',
      retryClass: 'LATER',
      retryable: true,
    });
  });

  test('the customer never reads of fraud, loss or theft, and every answer has the shape of the contract', () => {
    for (const code of [...issuerCodes, '99']) {
      const decline = validate(Decline, declineFor(code));
      expect(decline.customerMessage, code).not.toMatch(/fraud|lost|stolen|theft|pick|keep|suspect/i);
    }
  });
});

describe('the verdict of a code', () => {
  test.each(['00', '08', '11', 'Y1', 'Y3'])('%s approves and is reported as 00', (code) => {
    expect(verdictOf(code, 1000)).toBe('APPROVED');
    expect(reportedCode(code, 1000)).toBe('00');
  });

  test('85 approves a check of amount 0 only', () => {
    expect(verdictOf('85', 0)).toBe('APPROVED');
    expect(verdictOf('85', 1)).toBe('DECLINED');
    expect(reportedCode('85', 1)).toBe('85');
  });

  test.each(['09', '68', '94'])('%s is no decline: the outcome is unknown', (code) => {
    expect(verdictOf(code, 1000)).toBe('UNKNOWN');
    expect(declineFor(code)).toMatchObject({ retryClass: 'UNKNOWN_OUTCOME', retryable: false });
  });

  test('10 is a partial approval, and everything else declines', () => {
    expect(verdictOf('10', 1000)).toBe('PARTIAL');
    for (const code of ['05', '51', '77', 'Z3']) expect(verdictOf(code, 1000)).toBe('DECLINED');
  });
});
