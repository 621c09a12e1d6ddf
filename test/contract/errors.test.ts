import { describe, expect, test } from 'vitest';
import { BridgeError, ErrorResponse, errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { validate } from '../../app/contract/validate.ts';
import { decisions } from './spec-document.ts';

/** Section 3 of the decisions: code, status, whether money may have moved. */
function decidedCodes(): Map<string, { status: number; moved: string }> {
  const section = decisions.slice(decisions.indexOf('## 3.'), decisions.indexOf('## 4.'));
  const [refusals = '', inResponses = ''] = section.split('In an ERROR response');
  const found = new Map<string, { status: number; moved: string }>();
  for (const [, code = '', status, moved = ''] of refusals.matchAll(/([A-Z][A-Z_]+) (\d{3}) (no|unknown)/g)) {
    found.set(code, { status: Number(status), moved: moved.toUpperCase() });
  }
  for (const [, code = '', moved = ''] of inResponses.matchAll(/([A-Z][A-Z_]+) (no|unknown)/g)) {
    found.set(code, { status: 200, moved: moved.toUpperCase() });
  }
  return found;
}

describe('the error catalogue', () => {
  test('has exactly the codes of the decisions, with their statuses and what is known about the money', () => {
    const decided = decidedCodes();
    expect(decided.size).toBeGreaterThan(40);
    expect([...errorCodes].sort()).toEqual([...decided.keys()].sort());
    for (const code of errorCodes) {
      const { httpStatus, moneyMayHaveMoved } = errorCatalogue[code];
      expect({ status: httpStatus, moved: moneyMayHaveMoved }, code).toEqual(decided.get(code));
    }
  });

  test('gives each code an advice and a text key of its own', () => {
    const keys = errorCodes.map((code) => errorCatalogue[code].consoleTextKey);
    expect(new Set(keys).size).toBe(errorCodes.length);
    expect(errorCatalogue.ABORT_TOO_LATE.consoleTextKey).toBe('errors.abortTooLate');
    for (const code of errorCodes) expect(errorCatalogue[code].retryAdvice, code).toMatch(/^[A-Z].{10,}\.$/);
  });

  test('never advises a repeat under a new key where money may have moved', () => {
    for (const code of errorCodes.filter((name) => errorCatalogue[name].moneyMayHaveMoved === 'UNKNOWN')) {
      expect(errorCatalogue[code].retryAdvice, code).toMatch(/look the transaction up|same key|wait for the result/i);
    }
  });
});

describe('BridgeError', () => {
  test('becomes an ErrorResponse with what it knows and nothing else', () => {
    const outcome = { charged: 'UNKNOWN', safeToRetry: false, evidence: 'No answer yet' } as const;
    const error = new BridgeError('IDEMPOTENCY_IN_PROGRESS', 'the first call still runs', {
      details: { transactionId: 'abc', outcome, retryAfterSeconds: 2 },
      cause: new Error('4111111111111111'),
    });
    const response = error.toResponse();
    expect(response).toEqual({
      error: 'IDEMPOTENCY_IN_PROGRESS',
      message: 'the first call still runs',
      transactionId: 'abc',
      outcome,
      retryAfterSeconds: 2,
    });
    expect(validate(ErrorResponse, JSON.parse(JSON.stringify(response)))).toEqual(response);
    expect(error.httpStatus).toBe(409);
    expect(error.name).toBe('BridgeError');
  });

  test('of a bare refusal is a code and a message', () => {
    expect(new BridgeError('NOT_FOUND', 'no such transaction').toResponse()).toEqual({
      error: 'NOT_FOUND',
      message: 'no such transaction',
    });
  });
});
