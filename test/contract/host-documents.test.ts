import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { renderDocsPage } from '../../app/contract/docs-page.ts';
import { docsStyle } from '../../app/contract/docs-style.ts';
import { errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { createHostDocsPage } from '../../app/contract/host/host-docs-page.ts';
import { hostEndpoints } from '../../app/contract/host/host-endpoints.ts';
import { createHostOpenApiDocument } from '../../app/contract/host/host-openapi.ts';
import { hostSchemas } from '../../app/contract/host/host-schemas.ts';
import { validateRequest } from '../../app/contract/validate.ts';
import { referencesIn, resolves } from './document-references.ts';

const openapi = JSON.parse(JSON.stringify(createHostOpenApiDocument()));

describe('the table of the host’s endpoints', () => {
  test('names each id, and each method with its path, once', () => {
    expect(new Set(hostEndpoints.map(({ id }) => id)).size).toBe(hostEndpoints.length);
    expect(new Set(hostEndpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(hostEndpoints.length);
  });

  test.each(hostEndpoints)('$id states its columns without contradiction', (endpoint) => {
    if (endpoint.method === 'GET') expect(endpoint.requestSchema).toBeUndefined();
    if (endpoint.requestSchema !== undefined) {
      const { requestSchema } = endpoint;
      expect(() => validateRequest(requestSchema, endpoint.example)).not.toThrow();
      if (endpoint.hasOptionalBody === true) expect(() => validateRequest(requestSchema, {})).not.toThrow();
      else expect(() => validateRequest(requestSchema, {})).toThrow();
      expect(() => validateRequest(requestSchema, { ...Object(endpoint.example), amunt: 1 })).toThrow(/^amunt /);
    }
    expect(endpoint.errors).toEqual(errorCodes.filter((code) => endpoint.errors.includes(code)));
  });

  test('every call that moves money has a key, or is one by the original that it reverses', () => {
    const without = hostEndpoints.filter(({ movesMoney, idempotency }) => movesMoney && idempotency === 'none');
    expect(without.map(({ id }) => id)).toEqual(['device.recoveryReverse', 'payments.recover']);
  });
});

describe('the OpenAPI document of the host', () => {
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
    expect(Object.keys(hostSchemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test('asks each call for its one kind of key', () => {
    const schemes = { device: [{ deviceToken: [] }], secret: [{ secretKey: [] }], none: [], pos: undefined };
    for (const { method, path, credential } of hostEndpoints) {
      expect(openapi.paths[path][method.toLowerCase()].security, path).toEqual(schemes[credential]);
    }
    expect(openapi.security).toBeUndefined();
    expect(Object.keys(openapi.components.securitySchemes)).toEqual(['deviceToken', 'secretKey']);
  });

  test('tells for each status the codes of the catalogue that have it', () => {
    for (const { method, path, errors } of hostEndpoints) {
      const { responses } = openapi.paths[path][method.toLowerCase()];
      for (const code of errors) {
        const { httpStatus } = errorCatalogue[code];
        if (httpStatus >= 400) expect(responses[httpStatus].description.split(', '), `${path} ${code}`).toContain(code);
      }
    }
  });

  test('says which bodies may be left out, and which answers have an ETag', () => {
    expect(openapi.paths['/api/v1/terminal/payments/{id}/void'].post.requestBody.required).toBe(false);
    expect(openapi.paths['/v1/payments/{id}/refunds'].post.requestBody.required).toBe(true);
    const config = openapi.paths['/api/v1/terminal/config'].get;
    expect(config.parameters.map(({ name }: { name: string }) => name)).toContain('If-None-Match');
    expect(Object.keys(config.responses['200'].headers)).toContain('ETag');
    expect(config.responses['304']).toBeDefined();
    expect(openapi.paths['/v1/payments'].get.responses['304']).toBeUndefined();
  });

  test('names the kinds of answers that are no JSON', () => {
    const kindOf = (path: string) => Object.keys(openapi.paths[path].get.responses['200'].content);
    expect(kindOf('/v1/settlements/{settlementId}/export.csv')).toEqual(['text/csv']);
    expect(kindOf('/metrics')).toEqual(['application/openmetrics-text']);
    expect(kindOf('/docs')).toEqual(['text/html']);
    expect(kindOf('/v1/settlements/{settlementId}/export.json')).toEqual(['application/json']);
  });
});

describe('the API page of the host', () => {
  const page = renderDocsPage(createHostDocsPage());

  test('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
    expect([...page.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style]) => style)).toEqual([docsStyle]);
  });

  test('has each id once, and every link within it leads somewhere', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(200);
    expect([...new Set(targets)].filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('shows every endpoint with an example under its own kind of key, and nothing of a session', () => {
    for (const { method, path, summary } of hostEndpoints) {
      expect(page).toContain(`${method}</span><code>${path}</code>`);
      expect(page).toContain(summary);
    }
    const count = (text: string) => page.split(text).length - 1;
    const withKey = (kind: string) => hostEndpoints.filter(({ credential }) => credential === kind).length;
    expect(count('<pre><code>curl ')).toBe(hostEndpoints.length);
    expect(count('Bearer $DEVICE_TOKEN')).toBe(withKey('device'));
    expect(count('X-Api-Key: $SECRET_KEY')).toBe(withKey('secret'));
    expect(count('<li>no key needed</li>')).toBe(withKey('none'));
    expect(page).toContain('curl -X PUT ');
    expect(page).not.toMatch(/asyncapi|session-messages|POS key/i);
  });
});
