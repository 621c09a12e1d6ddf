import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { endpointOf, endpoints } from '../../app/contract/endpoints.ts';
import { errorCatalogue } from '../../app/contract/errors.ts';
import {
  DEFAULT_PAGE_ITEMS,
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE_CHARACTERS,
  MAX_PAGE_ITEMS,
  MAX_REFERENCE_ID_CHARACTERS,
  MIN_PAGE_ITEMS,
} from '../../app/contract/limits.ts';
import { namedSchemas } from '../../app/contract/named-schemas.ts';
import { createOpenApiDocument, POS_API_VERSION } from '../../app/contract/openapi.ts';
import { ClientAction, TransactionEvent } from '../../app/contract/session.ts';
import { ReconciliationStatus, SettlementStatus } from '../../app/contract/settlements.ts';
import { TransactionStatus } from '../../app/contract/transactions.ts';
import { createMetaAjv, differences, named, plain, type Schema } from './field-check.ts';
import { posEndpoints, posResources, spec } from './spec-document.ts';

const operations = ['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'] as const;
const schemaOf: Readonly<Record<(typeof operations)[number], string>> = {
  SALE: 'SaleRequest',
  PRE_AUTH: 'PreAuthRequest',
  PRE_AUTH_COMPLETE: 'PreAuthCompleteRequest',
  REFUND: 'RefundRequest',
  VOID: 'VoidRequest',
  CARD_READ: 'CardReadRequest',
  BALANCE_INQUIRY: 'BalanceInquiryRequest',
};

/** The branch of a tagged union with this tag value. */
function branch(union: TSchema, tag: string, value: string): Schema {
  const found = plain(union).oneOf?.find(({ properties }) => properties?.[tag]?.const === value);
  if (found === undefined) throw new Error(`no ${tag} ${value}`);
  return found;
}

test('the fixture holds the POS part that these tests walk through', () => {
  expect(posEndpoints).toHaveLength(14);
  expect(Object.keys(spec.websocket.actions)).toHaveLength(7);
  expect(Object.keys(spec.websocket.events)).toHaveLength(8);
});

describe('resources of the specification', () => {
  test.each(posResources)('%s has every field with its type, required mark, values and limits', (name) => {
    const fields = spec.resources[name]?.fields ?? {};
    expect(Object.keys(fields)).not.toHaveLength(0);
    expect(differences(name, fields, named(name))).toEqual([]);
  });

  test('a contract that lost a field, a mark or a limit would be found', () => {
    const fields = spec.resources.TransactionRequest?.fields ?? {};
    const { amount: _, ...others } = named('TransactionRequest').properties ?? {};
    const damaged: Schema = { required: [], properties: { ...others, referenceId: { type: 'string', maxLength: 65 } } };
    expect(differences('TransactionRequest', fields, damaged)).toEqual(
      expect.arrayContaining([
        'TransactionRequest.amount is missing',
        'TransactionRequest.type must be required',
        'TransactionRequest.referenceId: rule maxLength 64 does not hold',
      ]),
    );
  });

  test('every schema of the contract is valid JSON Schema in strict mode', () => {
    const ajv = createMetaAjv();
    for (const [name, schema] of Object.entries(namedSchemas)) {
      expect(() => ajv.compile(plain(schema)), name).not.toThrow();
    }
  });
});

describe('requests of each operation', () => {
  const { amount, cashbackAmount, originalTransactionId } = spec.resources.TransactionRequest?.fields ?? {};
  const zeroAmount = Object.keys(Object(amount?.rules?.fixedFor));
  const withCashback = Object(cashbackAmount?.rules).appliesTo as string[];
  const withOriginal = Object(originalTransactionId?.rules).requiredFor as string[];

  test.each(operations)('%s takes only fields of TransactionRequest, and those that the rules give it', (operation) => {
    const schema = named(schemaOf[operation]);
    const all = Object.keys(named('TransactionRequest').properties ?? {});
    expect(all).toEqual(expect.arrayContaining(Object.keys(schema.properties ?? {})));
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties?.type?.const).toBe(operation);
    expect(schema.required).toEqual(expect.arrayContaining(['type', 'amount', 'currency']));
    expect(schema.properties?.amount?.const).toBe(zeroAmount.includes(operation) ? 0 : undefined);
    expect(schema.properties?.cashbackAmount !== undefined).toBe(withCashback.includes(operation));
    expect(schema.required?.includes('originalTransactionId')).toBe(withOriginal.includes(operation));
    for (const echoed of ['referenceId', 'metadata', 'entryMode'])
      expect(schema.properties?.[echoed], echoed).toBeDefined();
  });
});

describe('endpoints of the specification', () => {
  test.each(posEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s stands in the table as specified',
    (id, expected) => {
      const found = endpoints.find((endpoint) => endpoint.id === id);
      expect(found).toMatchObject({ method: expected.method, path: expected.path, credential: 'pos' });
      if (expected.success.body !== null) expect(found?.successSchema).toBe(namedSchemas[expected.success.body]);
      if (expected.success.status !== null) expect(found?.successStatus).toBe(expected.success.status);
      if (expected.idempotencyKey) expect(found?.idempotency).toBe('required');
      const statuses = found?.errors.map((code) => errorCatalogue[code].httpStatus) ?? [];
      for (const { status } of expected.errors) expect(statuses).toContain(status);
      if (expected.query !== undefined) {
        expect(differences(id, expected.query, { ...plain(found?.querySchema), required: [] })).toEqual([]);
        expect(Object.keys(found?.querySchema?.properties ?? {}).sort()).toEqual(Object.keys(expected.query).sort());
      }
    },
  );

  test.each(
    posEndpoints
      .filter(({ operation }) => typeof operation === 'string')
      .map(({ id, operation }) => [id, operation] as const),
  )('%s takes requests of type %s', (id, operation) => {
    const { requestSchema } = endpoints.find((endpoint) => endpoint.id === id) ?? {};
    expect(plain(requestSchema).properties?.type?.const).toBe(operation);
  });

  test('initiate takes sales, pre-authorizations and refunds', () => {
    const branches = plain(endpointOf('pos.initiate').requestSchema).oneOf ?? [];
    expect(branches.map(({ properties }) => properties?.type?.const)).toEqual(['SALE', 'PRE_AUTH', 'REFUND']);
  });

  test('complete over REST has the fields of the action', () => {
    const fields = spec.websocket.actions.complete?.fields ?? {};
    expect(Object.keys(plain(endpointOf('pos.complete').requestSchema).properties ?? {})).toEqual(Object.keys(fields));
  });

  test('every path of the table stands in the OpenAPI document and no other', () => {
    expect(Object.keys(Object(createOpenApiDocument().paths)).sort()).toEqual(
      [...new Set(endpoints.map(({ path }) => path))].sort(),
    );
  });
});

describe('the WebSocket session of the specification', () => {
  const { actions, events, sequences, clientDiscriminator, serverDiscriminator, path } = spec.websocket;

  test('has its path and discriminators', () => {
    expect(endpointOf('pos.session').path).toBe(path);
    expect(plain(ClientAction).required).toEqual([clientDiscriminator]);
    expect(plain(TransactionEvent).required).toEqual([serverDiscriminator]);
  });

  test.each(Object.entries(actions))('action %s has its fields and required marks', (name, { fields }) => {
    const schema = branch(ClientAction, clientDiscriminator, name);
    // The decisions ask for authorizationCode only when the issuer approves; validate.test.ts shows that.
    const { authorizationCode, ...others } = fields;
    expect(differences(name, others, schema)).toEqual([]);
    if (authorizationCode !== undefined) {
      expect(differences(name, { authorizationCode: { ...authorizationCode, required: false } }, schema)).toEqual([]);
    }
    expect(schema.additionalProperties).toBe(false);
  });

  test.each(Object.entries(events))(
    'event %s has its fields, required marks, number and time',
    (name, { fields, sampleFields = [] }) => {
      const schema = branch(TransactionEvent, serverDiscriminator, name);
      expect(differences(name, fields, schema)).toEqual([]);
      for (const field of sampleFields) expect(schema.properties?.[field]).toBeDefined();
      expect(schema.required).toEqual(expect.arrayContaining(['sequence', 'at', 'terminalId']));
    },
  );

  test.each(sequences.map(({ name, order }) => [name, order] as const))(
    '%s: every step of the sequence is a message of the session',
    (_, order) => {
      for (const step of order) {
        const [kind, name] = step.split(':');
        expect(() => branch(kind === 'action' ? ClientAction : TransactionEvent, kind ?? '', name ?? '')).not.toThrow();
      }
    },
  );

  test('the additions of the decisions are there', () => {
    for (const name of ['auth', 'replay']) expect(() => branch(ClientAction, 'action', name)).not.toThrow();
    for (const name of ['display_shown', 'input_result', 'status_changed', 'outcome_resolved']) {
      expect(() => branch(TransactionEvent, 'event', name)).not.toThrow();
    }
    for (const action of ['sale', 'pre_auth', 'card_read', 'complete', 'display', 'input', 'abort', 'replay']) {
      const { properties } = branch(ClientAction, 'action', action);
      expect(properties?.requestId, action).toBeDefined();
      expect(properties?.terminalId, action).toBeDefined();
    }
    for (const action of ['sale', 'pre_auth', 'complete']) {
      expect(branch(ClientAction, 'action', action).properties?.idempotencyKey, action).toBeDefined();
    }
  });
});

describe('states, limits and version of the specification', () => {
  test('statuses are those of the transition tables', () => {
    const { posTransaction = [], settlement, reconciliation } = spec.transitions.values;
    expect(plain(TransactionStatus).enum).toEqual([...posTransaction, 'IN_PROGRESS']);
    expect(plain(SettlementStatus).enum).toEqual(settlement);
    expect(plain(ReconciliationStatus).enum).toEqual(reconciliation);
  });

  test('every limit is kept or belongs to the host API', () => {
    const ours: Readonly<Record<string, unknown>> = {
      metadata: { keysMax: MAX_METADATA_KEYS, valueLengthMax: MAX_METADATA_VALUE_CHARACTERS },
      referenceId: { lengthMax: MAX_REFERENCE_ID_CHARACTERS },
      limit: { minimum: MIN_PAGE_ITEMS, maximum: MAX_PAGE_ITEMS, default: DEFAULT_PAGE_ITEMS },
      concurrency: { transactionsMax: 1 },
    };
    const hosts = ['ttlSeconds', 'processingExpiresAt', 'maskedPan', 'authorizationAttempts'];
    expect(spec.limits.map(({ limit }) => limit).sort()).toEqual([...Object.keys(ours), ...hosts].sort());
    for (const [name, expected] of Object.entries(ours)) {
      expect(spec.limits.find(({ limit }) => limit === name)).toMatchObject(Object(expected));
    }
  });

  test('every call that starts a transaction can answer that one is running', () => {
    for (const { id } of posEndpoints.filter(({ request }) => request === 'TransactionRequest')) {
      expect(endpoints.find((endpoint) => endpoint.id === id)?.errors, id).toContain('TRANSACTION_IN_PROGRESS');
    }
  });

  test('the version and path prefix are those of the specification', () => {
    expect(POS_API_VERSION).toBe(spec.versioning.posApi);
    for (const { path } of posEndpoints) expect(path.startsWith(spec.versioning.posPrefix)).toBe(true);
  });
});
