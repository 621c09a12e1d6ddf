import type { TSchema } from 'typebox';
import type { Credential, EndpointRow } from './endpoint.ts';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import { CallHeaders } from './query.ts';
import { createSchemaWriter, type Json, type JsonMap, type SchemaWriter } from './schema-document.ts';

/** One address as its OpenAPI document describes it. */
export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly introduction: string;
  readonly server: { readonly url: string; readonly description: string };
  readonly endpoints: readonly EndpointRow[];
  /** Schemas that the document names. */
  readonly schemas: Readonly<Record<string, TSchema>>;
  /** Kind of key → security schemes of which a caller takes one. */
  readonly security: Partial<Readonly<Record<Credential, readonly string[]>>>;
  /** The kind of key that holds where an operation says nothing; absent where each says its own. */
  readonly byDefault?: Credential;
  readonly securitySchemes: JsonMap;
}

/** An OpenAPI 3.1 document, made from a table of endpoints. */
export function createApiDocument(api: ApiDescription): JsonMap {
  const schemas = createSchemaWriter(api.schemas, 'openapi');
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of api.endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint, api, schemas);
    paths[endpoint.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [api.server],
    tags: [...new Set(api.endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    ...(api.byDefault === undefined ? {} : { security: securityOf(api.byDefault, api) }),
    paths,
    components: {
      schemas: schemas.components(),
      headers: api.endpoints.some(({ hasEtag }) => hasEtag)
        ? { ...responseHeaders, ETag: etagHeader }
        : responseHeaders,
      securitySchemes: api.securitySchemes,
    },
  };
}

function securityOf(credential: Credential, api: ApiDescription): Json {
  return (api.security[credential] ?? []).map((scheme) => ({ [scheme]: [] }));
}

const responseHeaders: JsonMap = {
  'X-Request-Id': { description: 'Name of this call in the log.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'true when this is the first answer again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before a repeat.', schema: { type: 'integer', minimum: 0 } },
};

const etagHeader: JsonMap = {
  description: 'Version of the answer, for If-None-Match.',
  schema: { type: 'string' },
};

function headerReferences(names: readonly string[]): JsonMap {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function operation(endpoint: EndpointRow, api: ApiDescription, schemas: SchemaWriter): JsonMap {
  const parameters = [
    ...pathParameters(endpoint, schemas),
    ...queryParameters(endpoint, schemas),
    ...headerParameters(endpoint, schemas),
  ];
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.credential === api.byDefault ? {} : { security: securityOf(endpoint.credential, api) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint, schemas),
    responses: {
      [String(endpoint.successStatus)]: success(endpoint, schemas),
      ...(endpoint.hasEtag === true ? { '304': { description: 'As the caller has it.' } } : {}),
      ...failures(endpoint.errors),
    },
  };
}

function pathParameters(endpoint: EndpointRow, schemas: SchemaWriter): Json[] {
  return Object.entries(endpoint.pathParameters ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.reference(schema),
  }));
}

function queryParameters(endpoint: EndpointRow, schemas: SchemaWriter): Json[] {
  const query = endpoint.querySchema;
  if (query === undefined) return [];
  return Object.entries(query.properties).map(([name, property]) => {
    const schema = schemas.reference(property);
    // Times may also be plain dates; every parameter may be left out, its default then holds.
    return { name, in: 'query', required: false, schema };
  });
}

function headerParameters(endpoint: EndpointRow, schemas: SchemaWriter): Json[] {
  const wanted: (readonly [
    name: string,
    property: keyof typeof CallHeaders.properties,
    wanted: boolean,
    required: boolean,
  ])[] = [
    ['Idempotency-Key', 'idempotency-key', endpoint.idempotency !== 'none', endpoint.idempotency === 'required'],
    ['X-Terminal-Id', 'x-terminal-id', endpoint.picksTerminal, false],
    ['X-Timeout-Seconds', 'x-timeout-seconds', endpoint.waitsForTerminal, false],
  ];
  const ofCall = wanted
    .filter(([, , isWanted]) => isWanted)
    .map(([name, property, , required]) => ({
      name,
      in: 'header',
      required,
      schema: schemas.reference(CallHeaders.properties[property]),
    }));
  const ifNoneMatch = { name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } };
  return endpoint.hasEtag === true ? [...ofCall, ifNoneMatch] : ofCall;
}

function requestBody(endpoint: EndpointRow, schemas: SchemaWriter): JsonMap {
  if (endpoint.requestSchema === undefined) return {};
  const example = endpoint.example === undefined ? {} : { example: endpoint.example as Json };
  return {
    requestBody: {
      required: endpoint.hasOptionalBody !== true,
      content: { 'application/json': { schema: schemas.reference(endpoint.requestSchema), ...example } },
    },
  };
}

function success(endpoint: EndpointRow, schemas: SchemaWriter): JsonMap {
  const replayed = endpoint.idempotency === 'none' ? [] : ['Idempotent-Replayed'];
  const etag = endpoint.hasEtag === true ? ['ETag'] : [];
  const headers = headerReferences(['X-Request-Id', ...replayed, ...etag]);
  if (endpoint.successStatus === 101) return { description: 'The connection is a WebSocket now.', headers };
  const schema =
    endpoint.successSchema === undefined
      ? { type: endpoint.successMediaType === 'application/json' ? 'object' : 'string' }
      : schemas.reference(endpoint.successSchema);
  return { description: endpoint.summary, headers, content: { [endpoint.successMediaType]: { schema } } };
}

/** One response per status; its description names the codes. */
function failures(codes: readonly ErrorCode[]): JsonMap {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { httpStatus } = errorCatalogue[code];
    if (httpStatus >= 400) byStatus.set(httpStatus, [...(byStatus.get(httpStatus) ?? []), code]);
  }
  const schema = { $ref: '#/components/schemas/ErrorResponse' };
  return Object.fromEntries(
    [...byStatus].map(([status, names]): [string, Json] => {
      const retryAfter = status === 409 || status === 429 ? ['Retry-After'] : [];
      return [
        String(status),
        {
          description: names.join(', '),
          headers: headerReferences(['X-Request-Id', ...retryAfter]),
          content: { 'application/json': { schema } },
        },
      ];
    }),
  );
}
