import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { createAsyncApiDocument } from '../../app/contract/asyncapi.ts';
import { renderDocsPage } from '../../app/contract/docs-page.ts';
import { docsStyle } from '../../app/contract/docs-style.ts';
import { endpointOf, endpoints } from '../../app/contract/endpoints.ts';
import { errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { namedSchemas } from '../../app/contract/named-schemas.ts';
import { createOpenApiDocument } from '../../app/contract/openapi.ts';
import { createPosDocsPage } from '../../app/contract/pos-docs-page.ts';
import { validateRequest } from '../../app/contract/validate.ts';
import { referencesIn, resolves } from './document-references.ts';

const require = createRequire(import.meta.url);
const openapi = JSON.parse(JSON.stringify(createOpenApiDocument()));
const asyncapi = JSON.parse(JSON.stringify(createAsyncApiDocument()));

describe('the table of endpoints', () => {
  test('names each id, and each method with its path, once', () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length);
  });

  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s states its columns without contradiction',
    (_, endpoint) => {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(endpoint.pathParameters ?? {})).toEqual(inPath);
      if (endpoint.method === 'GET') expect(endpoint.requestSchema).toBeUndefined();
      expect(endpoint.movesMoney).toBe(endpoint.idempotency !== 'none');
      if (endpoint.requestSchema !== undefined)
        expect(() => validateRequest(Object(endpoint.requestSchema), endpoint.example)).not.toThrow();
      expect(endpoint.errors).toEqual(errorCodes.filter((code) => endpoint.errors.includes(code)));
      if (endpoint.credential === 'pos') expect(endpoint.errors).toContain('UNAUTHENTICATED');
    },
  );

  test('only liveness and the documents are open', () => {
    const open = endpoints.filter(({ credential }) => credential === 'none').map(({ path }) => path);
    expect(open).toEqual(['/health', '/openapi.json', '/asyncapi.json', '/docs', '/doctor']);
  });

  test('requests that move money, and all others, refuse unknown fields', () => {
    for (const { id, requestSchema, example } of endpoints) {
      if (requestSchema === undefined) continue;
      expect(() => validateRequest(requestSchema, { ...Object(example), amunt: 1 }), id).toThrow(/^amunt /);
    }
  });

  test('an unknown id is a mistake of the programmer', () => {
    expect(endpointOf('pos.sale').path).toBe('/v1/transaction/sale');
    expect(() => endpointOf(JSON.parse('"pos.nothing"'))).toThrow(RangeError);
  });
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(openapi));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('refers only to what it holds, and uses every named schema', () => {
    const references = referencesIn(openapi);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) expect(resolves(openapi, reference), reference).toBe(true);
    const used = new Set(references.map((reference) => reference.split('/').at(-1)));
    // The specification's one request shape is documented beside the strict ones that stand for it.
    const unused = Object.keys(namedSchemas).filter((name) => !used.has(name) && name !== 'TransactionRequest');
    expect(unused).toEqual([]);
  });

  test('tells for each status the codes of the catalogue that have it', () => {
    for (const { method, path, errors } of endpoints) {
      const { responses } = openapi.paths[path][method.toLowerCase()];
      for (const code of errors) {
        const { httpStatus } = errorCatalogue[code];
        if (httpStatus >= 400) expect(responses[httpStatus].description.split(', '), `${path} ${code}`).toContain(code);
      }
    }
  });

  test('maps the tag of a union to its named branch', () => {
    expect(openapi.components.schemas.InitiateRequest.discriminator).toEqual({
      propertyName: 'type',
      mapping: {
        SALE: '#/components/schemas/SaleRequest',
        PRE_AUTH: '#/components/schemas/PreAuthRequest',
        REFUND: '#/components/schemas/RefundRequest',
      },
    });
  });
});

describe('the AsyncAPI document', () => {
  const schema = JSON.parse(readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0.json'), 'utf8'));
  const validate = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    meta: false,
    validateSchema: false,
  }).compile(schema);

  test('is valid AsyncAPI 3.0 by the JSON schema of its authors, which finds a broken one', () => {
    validate(asyncapi);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...asyncapi, channels: { session: { address: 5 } } })).toBe(false);
  });

  test('refers only to what it holds', () => {
    for (const reference of referencesIn(asyncapi)) expect(resolves(asyncapi, reference), reference).toBe(true);
  });

  test('describes every action and event', () => {
    const actions = ['auth', 'sale', 'pre_auth', 'card_read', 'complete', 'display', 'input', 'abort', 'replay'];
    const names = Object.keys(asyncapi.components.messages);
    expect(names.slice(0, actions.length)).toEqual(actions);
    expect(names).toEqual(
      expect.arrayContaining(['waiting_for_card', 'result', 'error', 'cancelled', 'outcome_resolved']),
    );
    expect(Object.keys(asyncapi.channels.session.messages)).toEqual(names);
  });
});

describe('the API page', () => {
  const page = renderDocsPage({ ...createPosDocsPage(), openapi, asyncapi });

  test('loads nothing and runs nothing: it works under a policy that allows its one style alone', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
    expect(page).not.toMatch(/\sstyle=|\son[a-z]+=|@import|url\(|javascript:/i);
    expect([...page.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style]) => style)).toEqual([docsStyle]);
  });

  test('gives an exact length once, and its title before the list of contents, as a narrow screen shows them', () => {
    expect(page).toContain('3 characters');
    expect(page).not.toMatch(/\b(\d+) to \1 (characters|entries|keys)/);
    expect(page.indexOf('<h1>')).toBeLessThan(page.indexOf('<nav'));
  });

  test('has each id once, and every link within it leads somewhere', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(200);
    expect([...new Set(targets)].filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('shows every endpoint with an example, every schema, message and error code', () => {
    for (const { method, path, summary } of endpoints) {
      expect(page).toContain(`${method}</span><code>${path}</code>`);
      expect(page).toContain(summary);
    }
    expect(page.match(/<pre><code>curl /g)).toHaveLength(endpoints.length);
    for (const name of Object.keys(namedSchemas)) expect(page).toContain(`id="schema-${name}"`);
    for (const name of Object.keys(asyncapi.components.messages)) expect(page).toContain(`id="message-${name}"`);
    for (const code of errorCodes) expect(page).toContain(`id="error-${code}"`);
  });

  test('escapes what stands in the documents', () => {
    const hostile = structuredClone(openapi);
    hostile.info.title = '<script>alert(1)</script>';
    hostile.paths['/v1/transaction/sale'].post.description = 'a < b `<b>` "c"';
    const rendered = renderDocsPage({ ...createPosDocsPage(), openapi: hostile, asyncapi });
    expect(rendered).not.toContain('<script>');
    expect(rendered).toContain('a &lt; b <code>&lt;b&gt;</code>');
  });
});
