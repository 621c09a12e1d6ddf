import { describe, expect, test } from 'vitest';
import type { EndpointRow } from '../../app/contract/endpoint.ts';
import { errorCatalogue } from '../../app/contract/errors.ts';
import { HostTransactionType } from '../../app/contract/host/authorize.ts';
import { hostEndpointOf, hostEndpoints } from '../../app/contract/host/host-endpoints.ts';
import {
  DEFAULT_AUTHORIZATION_DAYS,
  DEFAULT_SESSION_EXPIRY_SECONDS,
  MAX_PAIRING_TRIES,
  MAX_SESSION_EXPIRY_SECONDS,
  MIN_SESSION_EXPIRY_SECONDS,
  PAIRING_CODE_CHARACTERS,
  PAIRING_CODE_TTL_MINUTES,
  SESSION_PROCESSING_TIMEOUT_MINUTES,
  SESSION_START_TIMEOUT_SECONDS,
} from '../../app/contract/host/host-limits.ts';
import { createHostOpenApiDocument, HOST_API_VERSION } from '../../app/contract/host/host-openapi.ts';
import { hostSchemas } from '../../app/contract/host/host-schemas.ts';
import { LinkAnswer, LinkCall, LinkEvent, LinkListen, LinkMessage } from '../../app/contract/host/link.ts';
import { PaymentStatus } from '../../app/contract/host/payment.ts';
import {
  CreatePaymentSessionRequest,
  SessionEventType,
  SessionStatus,
} from '../../app/contract/host/payment-session.ts';
import { ReverseResponse } from '../../app/contract/host/reverse.ts';
import { settlementExportColumns } from '../../app/contract/host/settlement-export.ts';
import { MAX_METADATA_KEYS, MAX_METADATA_VALUE_CHARACTERS } from '../../app/contract/limits.ts';
import { SettlementStatus } from '../../app/contract/settlements.ts';
import { assertAccountData, type CardField } from '../../app/domain/account-data.ts';
import { amountsOf } from '../../app/domain/authorize-request.ts';
import { isPaymentMove } from '../../app/domain/payment.machine.ts';
import { isSessionMove, sessionStatuses } from '../../app/domain/payment-session.machine.ts';
import { createMetaAjv, differences, named, plain, type Schema } from './field-check.ts';
import { hostEndpointsOfSpec, hostResources, type SpecEndpoint, spec } from './spec-document.ts';

const fieldsOf = (name: string) => spec.resources[name]?.fields ?? {};
const hostNamed = (name: string) => named(name, hostSchemas);

/** All differences between an endpoint of the specification and the row of the table; an empty list is agreement. */
function rowDifferences(expected: SpecEndpoint, row: EndpointRow | undefined): string[] {
  if (row === undefined) return ['the table has no such row'];
  const { method, path, credential, success, request, operation, query } = expected;
  const statuses = row.errors.map((code) => errorCatalogue[code].httpStatus);
  const parameters = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name).join(', ');
  const type = plain(row.requestSchema ?? {}).properties?.type?.const;
  const hasRequest =
    operation === undefined
      ? row.requestSchema === (request === null ? undefined : hostSchemas[request])
      : type === operation;
  const idempotency = expected.idempotencyKey ? 'required' : 'none';
  const checks: readonly (readonly [holds: boolean, difference: string])[] = [
    [row.method === method, `method must be ${method}`],
    [row.path === path, `path must be ${path}`],
    [row.credential === credential, `credential must be ${credential}`],
    [row.idempotency === idempotency, `idempotency must be ${idempotency}`],
    [row.successStatus === (success.status ?? 200), `status must be ${success.status ?? 200}`],
    [success.body === null || row.successSchema === hostSchemas[success.body], `the answer must be a ${success.body}`],
    [hasRequest, `the request must be a ${request}`],
    [
      Object.keys(row.pathParameters ?? {}).join(', ') === parameters,
      `the parameters of the path must be ${parameters}`,
    ],
    ...expected.errors.map(
      ({ status }) => [status === null || statuses.includes(status), `${status} must be among the answers`] as const,
    ),
  ];
  const found = checks.filter(([holds]) => !holds).map(([, difference]) => difference);
  if (query === undefined) return found;
  const schema = { ...plain(row.querySchema ?? {}), required: [] };
  const strangers = Object.keys(schema.properties ?? {}).filter((name) => query[name] === undefined);
  return [...found, ...differences(expected.id, query, schema, hostSchemas), ...strangers];
}

test('the fixture holds the host part that these tests walk through', () => {
  expect(hostEndpointsOfSpec.map(({ id }) => id)).toEqual([
    'reconciliation.run',
    'settlements.list',
    'settlements.get',
    'device.authorize',
    'device.offlineComplete',
    'device.recoveryReverse',
    'device.tipAdjust',
    'host.balanceInquiry',
    'paymentSessions.cancel',
    'paymentSessions.get',
    'tipConfig.put',
  ]);
});

describe('resources of the host', () => {
  test.each(hostResources)('%s has every field with its type, required mark, values and limits', (name) => {
    expect(Object.keys(fieldsOf(name))).not.toHaveLength(0);
    expect(differences(name, fieldsOf(name), hostNamed(name), hostSchemas)).toEqual([]);
  });

  test('a contract that lost a field, a mark, a value or a form would be found', () => {
    const { cardScheme, maskedPan, tipSource, id, ...others } = hostNamed('Payment').properties ?? {};
    const damaged: Schema = {
      required: ['merchantId', 'rrn'],
      properties: {
        ...others,
        cardScheme: { ...cardScheme, enum: ['VISA'] },
        maskedPan: { ...maskedPan, pattern: '^[0-9*]+$' },
        tipSource: { type: 'string', pattern: '^custom$' },
        id: { type: 'string' },
        capturedAmountMinor: { type: 'integer', minimum: 0, maximum: 2 ** 31 },
        settlementId: { type: 'string' },
      },
    };
    expect(differences('Payment', fieldsOf('Payment'), damaged, hostSchemas)).toEqual(
      expect.arrayContaining([
        'Payment.id must be required',
        'Payment.rrn must be optional',
        'Payment.id: rule format "uuid" does not hold',
        'Payment.maskedPan: rule maxFirstDigits 6 does not hold',
        'Payment.maskedPan: rule maxLastDigits 4 does not hold',
        'Payment.capturedAmountMinor must allow null',
        'Payment.capturedAmountMinor: rule unit "minor" does not hold',
        'Payment.settlementId must allow null',
        'Payment.tipSource must allow null',
        expect.stringMatching(/^Payment\.tipSource: rule forms .* does not hold$/),
        expect.stringMatching(/^Payment\.cardScheme must be enum/),
      ]),
    );
    const { ksn: _, ...withoutKsn } = hostNamed('AuthorizeRequest').properties ?? {};
    const authorize = { ...hostNamed('AuthorizeRequest'), properties: withoutKsn };
    expect(differences('AuthorizeRequest', fieldsOf('AuthorizeRequest'), authorize, hostSchemas)).toEqual([
      'AuthorizeRequest.ksn is missing',
    ]);
  });

  test('every schema is valid JSON Schema in strict mode', () => {
    const ajv = createMetaAjv();
    const ofLink = { LinkMessage, LinkCall, LinkAnswer, LinkListen, LinkEvent };
    for (const [name, schema] of Object.entries({ ...hostSchemas, ...ofLink })) {
      expect(() => ajv.compile(plain(schema)), name).not.toThrow();
    }
  });

  test('every request takes its own fields and no other', () => {
    for (const { id, requestSchema } of hostEndpoints) {
      if (requestSchema !== undefined) expect(plain(requestSchema).additionalProperties, id).toBe(false);
    }
  });

  test('the additions of the decisions are there', () => {
    const authorize = hostNamed('AuthorizeRequest');
    for (const field of ['transactionId', 'referenceId', 'cashbackAmountMinor', 'claimToken']) {
      expect(authorize.properties?.[field], field).toBeDefined();
      expect(authorize.required).not.toContain(field);
    }
    const create = plain(CreatePaymentSessionRequest);
    expect(create.required).toEqual(['merchantId', 'terminalId', 'operation', 'amountMinor', 'currencyCode']);
    expect(create.properties?.expiresInSeconds).toMatchObject({ minimum: 60, maximum: 300 });
    for (const name of ['ReconciliationResponse', 'TotalsResponse', 'Settlement']) {
      expect(hostNamed(name).properties?.externalTotals, name).toEqual(hostNamed('TransactionTotals'));
      expect(hostNamed(name).required, name).not.toContain('externalTotals');
    }
    expect(settlementExportColumns).toEqual(expect.arrayContaining(['referenceId', 'metadata']));
    expect(plain(LinkMessage).required).toEqual(['event', 'subject']);
  });
});

describe('endpoints of the host', () => {
  const rowOf = (id: string) => hostEndpoints.find((endpoint) => endpoint.id === id);

  test.each(hostEndpointsOfSpec)('$id stands in the table as specified', (expected) => {
    expect(rowDifferences(expected, rowOf(expected.id))).toEqual([]);
  });

  test('a row with another path, method, key, credential, shape or list of statuses would be found', () => {
    const expected = hostEndpointsOfSpec.find(({ id }) => id === 'paymentSessions.cancel');
    const row = rowOf('paymentSessions.cancel');
    if (expected === undefined || row === undefined) throw new Error('no such row');
    expect(rowDifferences(expected, undefined)).toEqual(['the table has no such row']);
    const { pathParameters: _, ...others } = row;
    const damaged: EndpointRow = {
      ...others,
      method: 'PUT',
      path: '/v1/terminal/sessions/{id}/cancel',
      credential: 'device',
      idempotency: 'required',
      successSchema: PaymentStatus,
      requestSchema: PaymentStatus,
      errors: [],
    };
    expect(rowDifferences(expected, damaged)).toEqual([
      'method must be POST',
      'path must be /v1/terminal/payment-sessions/{id}/cancel',
      'credential must be secret',
      'idempotency must be none',
      'the answer must be a TerminalPaymentSession',
      'the request must be a CancelPaymentSessionRequest',
      'the parameters of the path must be id',
      '409 must be among the answers',
    ]);
    const listed = hostEndpointsOfSpec.find(({ id }) => id === 'settlements.list');
    const { querySchema: __, ...withoutQuery } = rowOf('settlements.list') ?? row;
    if (listed === undefined) throw new Error('no such endpoint');
    expect(rowDifferences(listed, withoutQuery)).toContain('settlements.list.cursor is missing');
  });

  test.each(spec.credentials.filter(({ id }) => id === 'secret' || id === 'device'))(
    '$id: what the specification gives to it takes it, and what is there takes nothing else',
    ({ id, validFor }) => {
      const ours = hostEndpoints.filter(({ credential }) => credential === id).map((endpoint) => endpoint.id);
      const specified = validFor.endpoints.filter((name) =>
        hostEndpointsOfSpec.some((endpoint) => endpoint.id === name),
      );
      expect(ours).toEqual(expect.arrayContaining(specified));
      expect(specified.length).toBeGreaterThan(3);
    },
  );

  test('the device token is valid for /api/v1/terminal/* only, and the secret key for nothing there', () => {
    for (const { id, path, credential } of hostEndpoints) {
      const isDevicePath = path.startsWith('/api/v1/terminal/');
      if (credential === 'device') expect(isDevicePath, id).toBe(true);
      if (credential === 'secret') expect(isDevicePath, id).toBe(false);
      expect(credential, id).not.toBe('pos');
    }
    const withoutKey = hostEndpoints.filter(({ credential }) => credential === 'none').map(({ path }) => path);
    expect(withoutKey).toEqual([
      '/api/v1/terminal/pair',
      '/health',
      '/ready',
      '/metrics',
      '/v1/meta',
      '/openapi.json',
      '/docs',
    ]);
  });

  test('a wrong key is 401 and a right key of the wrong kind 403, wherever one is needed', () => {
    for (const { id, credential, errors } of hostEndpoints) {
      const isGuarded = errors.includes('UNAUTHENTICATED') && errors.includes('FORBIDDEN');
      expect(isGuarded, id).toBe(credential !== 'none');
    }
  });

  test('what names an object by its id can answer that it is not found', () => {
    for (const { id, pathParameters, errors } of hostEndpoints) {
      if (pathParameters !== undefined) expect(errors, id).toContain('NOT_FOUND');
    }
  });

  test('the additions of the decisions have their paths, methods and keys', () => {
    const rows = hostEndpoints.map(({ method, path, credential, idempotency }) =>
      [method, path, credential, idempotency].join(' '),
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        'POST /api/v1/terminal/pair none none',
        'GET /api/v1/terminal/config device none',
        'POST /api/v1/terminal/payments/{id}/capture device required',
        'POST /api/v1/terminal/payments/{id}/void device required',
        'POST /api/v1/terminal/transactions/record device required',
        'POST /api/v1/terminal/reconciliation device required',
        'POST /api/v1/terminal/payment-sessions/claim device optional',
        'POST /api/v1/terminal/payment-sessions/{id}/events device none',
        'GET /api/v1/terminal/transactions device none',
        'GET /api/v1/terminal/link device none',
        'POST /v1/terminal/payment-sessions secret required',
        'GET /v1/payments secret none',
        'GET /v1/payments/{id} secret none',
        'POST /v1/payments/{id}/refunds secret required',
        'POST /v1/payments/{id}/recovery secret none',
      ]),
    );
    expect(new Set(rows.map((row) => row.split(' ').slice(0, 2).join(' '))).size).toBe(rows.length);
    expect(hostEndpointOf('paymentSessions.create').errors).toContain('TERMINAL_HAS_OPEN_SESSION');
    expect(hostEndpointOf('device.tipAdjust').errors).toContain('TIP_ADJUST_NOT_SUPPORTED');
  });

  test('an unknown id is a mistake of the programmer', () => {
    expect(() => hostEndpointOf(JSON.parse('"device.nothing"'))).toThrow(RangeError);
  });

  test('every path of the table stands in the OpenAPI document and no other', () => {
    expect(Object.keys(Object(createHostOpenApiDocument().paths)).sort()).toEqual(
      [...new Set(hostEndpoints.map(({ path }) => path))].sort(),
    );
  });

  test('the paths have the prefixes of the specification, the service’s own apart', () => {
    for (const { path, tag } of hostEndpoints) {
      if (tag === 'Service') continue;
      expect(
        spec.versioning.hostPrefixes.some((prefix) => path.startsWith(prefix)),
        path,
      ).toBe(true);
    }
    expect(HOST_API_VERSION).toBe('1.0.0');
  });
});

describe('what the specification says of single fields', () => {
  const fields = Object.entries(fieldsOf('AuthorizeRequest'));
  const rulesOf = (rule: string) =>
    fields.flatMap(([name, field]) => {
      const others = Object(field.rules)[rule];
      return Array.isArray(others) ? others.map((other) => [name, String(other)] as const) : [];
    });
  const given = (...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, 'AA'])) as Partial<Record<CardField, string>>;
  const refused = expect.objectContaining({ code: 'INVALID_REQUEST' });

  test.each(rulesOf('exclusiveWith').filter(([, other]) => other !== ''))('%s does not go with %s', (name, other) => {
    const keys = ['accountDataKsn', 'accountDataKeyScheme'];
    expect(() => assertAccountData(given(name, other, ...keys))).toThrow(refused);
  });

  test.each(rulesOf('requires'))('%s needs %s', (name, other) => {
    expect(() => assertAccountData(given(name))).toThrow(refused);
    expect(() => assertAccountData(given(name, other))).not.toThrow();
  });

  test('amount is the sum that it is said to be', () => {
    expect(Object(fieldsOf('AuthorizeRequest').amount?.rules).sumOf).toEqual(['baseAmountMinor', 'tipAmountMinor']);
    expect(() => amountsOf({ amount: 11, baseAmountMinor: 10, tipAmountMinor: 1 })).not.toThrow();
    expect(() => amountsOf({ amount: 12, baseAmountMinor: 10, tipAmountMinor: 1 })).toThrow(refused);
  });
});

describe('states and limits of the host', () => {
  const { values, payment, terminalPaymentSession } = spec.transitions;

  test('statuses are those of the transition tables', () => {
    expect(plain(PaymentStatus).enum).toEqual(values.payment);
    expect(plain(SessionStatus).enum).toEqual(values.terminalPaymentSession);
    expect(plain(SettlementStatus).enum).toEqual(values.settlement);
    expect(plain(ReverseResponse).properties?.status?.enum).toEqual(values.reversal);
    expect(plain(HostTransactionType).enum).toEqual(fieldsOf('AuthorizeRequest').transactionType?.enum);
    expect(plain(SessionEventType).enum).toHaveLength(9);
  });

  test('the moves of the specification are moves of the tables', () => {
    expect(payment.map(({ trigger }) => trigger)).toHaveLength(3);
    expect(isPaymentMove('CARD_PRESENT', 'REQUIRES_CAPTURE', 'CAPTURED', 'SUCCEEDED')).toBe(true);
    expect(isPaymentMove('CARD_PRESENT', 'REQUIRES_CAPTURE', 'TIP_ADJUSTED', 'REQUIRES_CAPTURE')).toBe(true);
    for (const from of ['PROCESSING', 'REQUIRES_CAPTURE', 'SUCCEEDED', 'FAILED'] as const) {
      expect(isPaymentMove('CARD_PRESENT', from, 'REVERSAL_BEGUN', 'FAILED')).toBe(true);
    }
    expect(isPaymentMove('CARD_PRESENT', 'FAILED', 'REVERSAL_CONFIRMED', 'REVERSED')).toBe(true);
    expect(terminalPaymentSession.map(({ to }) => to)).toEqual([
      ['CANCELED'],
      ['(unchanged)'],
      ['RECOVERY_REQUIRED'],
      ['SUCCEEDED', 'DECLINED'],
    ]);
    expect(isSessionMove('CREATED', 'CANCEL', 'CANCELED')).toBe(true);
    for (const from of ['CLAIMED', 'IN_PROGRESS'] as const)
      expect(isSessionMove(from, 'CANCEL', 'CANCELED')).toBe(false);
    expect(isSessionMove('IN_PROGRESS', 'PROCESSING_TIMEOUT', 'RECOVERY_REQUIRED')).toBe(true);
    for (const from of sessionStatuses) {
      for (const to of ['SUCCEEDED', 'DECLINED'] as const) {
        expect(isSessionMove(from, 'VERIFIED_FINAL', to)).toBe(true);
      }
    }
  });

  test('limits are those of the specification and the decisions', () => {
    const limits = new Map(spec.limits.map((limit) => [limit.limit, limit]));
    expect(limits.get('processingExpiresAt')).toMatchObject({ minutes: SESSION_PROCESSING_TIMEOUT_MINUTES });
    expect(limits.get('maskedPan')).toMatchObject({ firstDigitsMax: 6, lastDigitsMax: 4 });
    expect(limits.get('metadata')).toMatchObject({
      keysMax: MAX_METADATA_KEYS,
      valueLengthMax: MAX_METADATA_VALUE_CHARACTERS,
    });
    expect([MIN_SESSION_EXPIRY_SECONDS, MAX_SESSION_EXPIRY_SECONDS, DEFAULT_SESSION_EXPIRY_SECONDS]).toEqual([
      60, 300, 300,
    ]);
    expect([PAIRING_CODE_CHARACTERS, PAIRING_CODE_TTL_MINUTES, MAX_PAIRING_TRIES]).toEqual([8, 10, 5]);
    expect(SESSION_START_TIMEOUT_SECONDS).toBe(60);
    expect(DEFAULT_AUTHORIZATION_DAYS).toBe(7);
  });
});
