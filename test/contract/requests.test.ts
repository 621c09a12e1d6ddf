import { describe, expect, test } from 'vitest';
import { looksLikeCardNumber } from '../../app/contract/card-number.ts';
import { DisplayRequest, InputRequest } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { ResolveRequest } from '../../app/contract/recovery.ts';
import { ClientAction, TransactionEvent } from '../../app/contract/session.ts';
import {
  InitiateRequest,
  PreAuthCompleteRequest,
  RefundRequest,
  SaleRequest,
  TransactionResponse,
} from '../../app/contract/transactions.ts';
import { assertNoPan, validate, validateRequest } from '../../app/contract/validate.ts';

const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };
const refusal = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });

describe('a request', () => {
  test('passes through unchanged, as the same object', () => {
    const request = {
      ...sale,
      tipAmount: 0,
      cashbackAmount: 500,
      entryMode: 'AUTO',
      referenceId: 'A',
      metadata: {},
      allowDuplicate: true,
    };
    const copy = structuredClone(request);
    expect(validateRequest(SaleRequest, request)).toBe(request);
    expect(request).toEqual(copy);
  });

  test('with an unknown field is refused by that name, before what it lacks', () => {
    expect(() => validateRequest(RefundRequest, { amount: 1000, amunt: 1 })).toThrow(refusal('amunt'));
    expect(() => validateRequest(SaleRequest, { ...sale, Amount: 5 })).toThrow(refusal('Amount'));
  });

  test('that names another operation than its path is refused by type', () => {
    const refund = { type: 'REFUND', amount: 1000, currency: 'EUR', originalTransactionId: 'abc' };
    expect(() => validateRequest(SaleRequest, refund)).toThrow(refusal('type'));
    expect(() => validateRequest(InitiateRequest, { ...refund, type: 'VOID' })).toThrow(refusal('type'));
    expect(validateRequest(InitiateRequest, refund)).toBe(refund);
  });

  test.each([
    ['SALE', SaleRequest, { originalTransactionId: 'abc' }, 'originalTransactionId'],
    ['REFUND', RefundRequest, { originalTransactionId: 'abc', tipAmount: 1 }, 'tipAmount'],
    ['REFUND', RefundRequest, { originalTransactionId: 'abc', cashbackAmount: 1 }, 'cashbackAmount'],
    ['REFUND', RefundRequest, {}, 'originalTransactionId'],
    ['PRE_AUTH_COMPLETE', PreAuthCompleteRequest, {}, 'originalTransactionId'],
    [
      'PRE_AUTH_COMPLETE',
      PreAuthCompleteRequest,
      { originalTransactionId: 'abc', cashbackAmount: 1 },
      'cashbackAmount',
    ],
  ])('of type %s takes only the fields that have a meaning there', (type, schema, fields, field) => {
    expect(() => validateRequest(schema, { type, amount: 1000, currency: 'EUR', ...fields })).toThrow(refusal(field));
  });

  test.each([[null], [[]], ['text'], [5], [true], [undefined]])(
    'that is %j instead of an object is refused',
    (body) => {
      for (const schema of [SaleRequest, InitiateRequest, ClientAction]) {
        expect(() => validateRequest(schema, body)).toThrow(
          expect.objectContaining({ code: 'INVALID_REQUEST', message: 'the body must be an object' }),
        );
      }
    },
  );

  test.each(['EURO', 'eur', 'XXX', 'XAU', '978', '', 'E R'])('in the currency %j is refused by name', (currency) => {
    expect(() => validateRequest(SaleRequest, { ...sale, currency })).toThrow(refusal('currency'));
  });

  test('that is refused never has its values repeated', () => {
    const secret = 'pssst-7391';
    const bodies = [
      { ...sale, currency: secret },
      { ...sale, entryMode: secret },
      { ...sale, type: secret },
      { ...sale, amount: secret },
      { ...sale, referenceId: secret.repeat(9) },
    ];
    for (const body of bodies) {
      expect(() => validateRequest(SaleRequest, body)).toThrow(BridgeError);
      expect(() => validateRequest(SaleRequest, body)).not.toThrow(secret);
    }
  });

  test('with a wild field name is refused without the name', () => {
    const wild = 'x"\n<script>';
    expect(() => validateRequest(SaleRequest, { ...sale, [wild]: 1 })).toThrow(
      'a field is not a field of a SALE request',
    );
    expect(() => validateRequest(SaleRequest, { ...sale, '4111111111111111': 1 })).not.toThrow('4111111111111111');
  });
});

describe('card numbers in text', () => {
  test.each([
    ['Visa', '4111111111111111'],
    ['Visa with spaces', '4111 1111 1111 1111'],
    ['Visa with dashes', '4111-1111-1111-1111'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard, 2-series', '2223003122003222'],
    ['Amex', '378282246310005'],
    ['Diners, 14 digits', '30569309025904'],
    ['Discover', '6011111111111117'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6200000000000005'],
    ['Maestro, 19 digits', '6304000000000000000'],
    ['in a sentence', 'card 4111111111111111 of Ms Smith'],
    ['behind another number', 'table 12 4111 1111 1111 1111'],
    ['before an expiry date', '4111111111111111 12/29'],
    ['in full-width digits', '４１１１１１１１１１１１１１１１'],
    ['in one-digit groups', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    ['with no-break spaces', '4111\u00a01111\u00a01111\u00a01111'],
    ['in a UUID with something before it', 'order a1b2c3d4-4111-1111-1111-1111abcdef01'],
    ['in a UUID parted otherwise', 'a1b2c3d4 4111 1111 1111 1111abcdef01'],
    ['in a UUID that is too short', 'a1b2c3d4-4111-1111-1111-1111abcdef0'],
  ])('are found: %s', (_, text) => {
    expect(looksLikeCardNumber(text)).toBe(true);
  });

  test.each([
    ['a wrong check digit', '4111111111111112'],
    ['13 digits', '4222222222222'],
    ['20 digits', '41111111111111110000'],
    ['a number that no card begins with', '1234567812345670'],
    ['a run inside a longer number', '994111111111111111199'],
    ['digits parted by letters', '41111111a11111111'],
    ['an order number', 'order 2026-11-27/000123'],
    ['a phone number', '+49 30 901820'],
    ['a masked number', '411111******1111'],
    ['nothing', ''],
    ['a UUID', '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10'],
    ['a UUID whose digits are a card number', 'a1b2c3d4-e5f6-4abc-8111-111111111112'],
    ['such a UUID in capitals', 'A1B2C3D4-4111-1111-1111-1111ABCDEF01'],
  ])('are not seen in %s', (_, text) => {
    expect(looksLikeCardNumber(text)).toBe(false);
  });

  test('are refused in every free text, the field named and the value not repeated', () => {
    const pan = '4111 1111 1111 1111';
    const cases: readonly (readonly [() => unknown, string])[] = [
      [() => validateRequest(SaleRequest, { ...sale, referenceId: pan }), 'referenceId'],
      [() => validateRequest(SaleRequest, { ...sale, metadata: { table: '5', card: pan } }), 'metadata.card'],
      [() => validateRequest(SaleRequest, { ...sale, metadata: { [pan]: '1' } }), 'metadata'],
      [
        () => validateRequest(ClientAction, { action: 'sale', amount: 1, currency: 'EUR', referenceId: pan }),
        'referenceId',
      ],
      [() => validateRequest(ResolveRequest, { charged: true, evidence: pan }), 'evidence'],
      [() => validateRequest(ResolveRequest, { charged: true, evidence: 'x', resolvedBy: pan }), 'resolvedBy'],
      [() => validateRequest(DisplayRequest, { lines: ['x', pan] }), 'lines[1]'],
      [() => validateRequest(InputRequest, { prompt: pan, inputType: 'CONFIRM' }), 'prompt'],
      [() => assertNoPan({ referenceId: pan }), 'referenceId'],
    ];
    for (const [call, field] of cases) {
      expect(call, field).toThrow(refusal(field));
      expect(call).not.toThrow('4111');
    }
  });
});

describe('prompts', () => {
  test.each([
    'Enter your PIN',
    'PIN-Code',
    'Bitte Geheimzahl eingeben',
    'Card number?',
    'Your card no',
    'Kartennummer',
    'CVV',
    'security code',
    'Numéro de carte',
    'Code secret',
    'Numero carta',
    'Número de tarjeta',
    'Kaartnummer',
    'ＰＩＮ',
  ])('that ask for card data are refused: %s', (prompt) => {
    expect(() => validateRequest(InputRequest, { prompt, inputType: 'DIGITS' })).toThrow(refusal('prompt'));
    expect(() => validateRequest(DisplayRequest, { lines: ['Welcome', prompt] })).toThrow(refusal('lines'));
    const menu = { prompt: 'Choose', inputType: 'MENU', options: ['Yes', prompt] };
    expect(() => validateRequest(InputRequest, menu)).toThrow(refusal('options'));
  });

  test('are seen across lines', () => {
    expect(() => validateRequest(DisplayRequest, { lines: ['Enter card', 'number'] })).toThrow(refusal('lines'));
  });

  test.each([
    'Receipt?',
    'Add a tip?',
    'Pan 2,50',
    'Shopping bag',
    'Pint of beer',
    'Phone number',
    'Customer card?',
    'Spinach 1.20',
    'Opinion?',
  ])('that ask for something else pass: %s', (prompt) => {
    expect(() => validateRequest(InputRequest, { prompt, inputType: 'TEXT' })).not.toThrow();
  });
});

describe('messages of the session', () => {
  const numbered = { sequence: 1, at: '2026-11-27T12:00:00.000Z', terminalId: 't1' };

  test.each(['sail', '', null, 5, undefined])('action %j is refused by name', (action) => {
    expect(() => validateRequest(ClientAction, { action, amount: 1, currency: 'EUR' })).toThrow(refusal('action'));
  });

  test('an unknown field of an action is refused by name', () => {
    expect(() => validateRequest(ClientAction, { action: 'abort', transactionId: 'a', reason: 'x' })).toThrow(
      refusal('reason'),
    );
    expect(() =>
      validateRequest(ClientAction, { action: 'pre_auth', amount: 1, currency: 'EUR', granular: true }),
    ).toThrow(refusal('granular'));
  });

  test('the sequence of an orchestrated and of a granular sale are valid events', () => {
    const response = {
      transactionId: 'a',
      status: 'APPROVED',
      type: 'SALE',
      amount: 1000,
      currency: 'EUR',
      timestamp: '2026-11-27T12:00:00Z',
    };
    const chipData = { emvTags: { '9F26': '0011' }, encryptedPinBlock: null, pinKsn: null, pinBlockFormat: null };
    const events = [
      { event: 'waiting_for_card', ...numbered, transactionId: 'a', message: 'Present card' },
      {
        event: 'card_detected',
        ...numbered,
        transactionId: 'a',
        entryMode: 'CONTACTLESS',
        cardScheme: 'VISA',
        scheme: 'VISA',
        maskedPan: '411111******1111',
      },
      { event: 'pin_required', ...numbered, transactionId: 'a' },
      { event: 'processing', ...numbered, transactionId: 'a', message: 'Please wait' },
      { event: 'online_authorization', ...numbered, transactionId: 'a', chipData },
      { event: 'result', ...numbered, requestId: 'r1', response },
      { event: 'cancelled', ...numbered, transactionId: 'a', reason: 'CARDHOLDER' },
      { event: 'error', ...numbered, errorCode: 'TERMINAL_BUSY', message: 'busy' },
    ];
    for (const event of events) expect(() => validate(TransactionEvent, event), event.event).not.toThrow();
    for (const event of events) {
      const { sequence: _, ...unnumbered } = event;
      expect(() => validate(TransactionEvent, unnumbered), event.event).toThrow(refusal('sequence'));
    }
  });
});

describe('a response', () => {
  const response = {
    transactionId: 'a',
    status: 'APPROVED',
    type: 'SALE',
    amount: 1,
    currency: 'EUR',
    timestamp: '2026-11-27T12:00:00Z',
  };

  test('leaves out what is unknown: null is refused', () => {
    expect(() => validate(TransactionResponse, response)).not.toThrow();
    expect(() => validate(TransactionResponse, { ...response, rrn: null })).toThrow(refusal('rrn'));
  });

  test('takes a card scheme that is not known today', () => {
    expect(() => validate(TransactionResponse, { ...response, cardScheme: 'GIROCARD' })).not.toThrow();
  });

  test('carries a host code of two characters and never a longer one of the terminal', () => {
    expect(() => validate(TransactionResponse, { ...response, responseCode: '00' })).not.toThrow();
    expect(() => validate(TransactionResponse, { ...response, responseCode: '6C00' })).toThrow(refusal('responseCode'));
  });
});
