import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { createAsyncApiDocument } from '../../app/contract/asyncapi.ts';
import { createOpenApiDocument } from '../../app/contract/openapi.ts';

const require = createRequire(import.meta.url);

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const document = JSON.parse(JSON.stringify(createOpenApiDocument()));
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });
});

describe('the AsyncAPI document', () => {
  test('is valid AsyncAPI 3.0 by the JSON schema of its authors', () => {
    const schema = JSON.parse(readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0.json'), 'utf8'));
    const validate = new Ajv({
      strict: false,
      allErrors: true,
      validateFormats: false,
      meta: false,
      validateSchema: false,
    }).compile(schema);
    validate(JSON.parse(JSON.stringify(createAsyncApiDocument())));
    expect(validate.errors ?? []).toEqual([]);
  });
});
