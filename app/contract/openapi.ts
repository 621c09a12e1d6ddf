import { type Endpoint, endpoints } from './endpoints.ts';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import { CallHeaders } from './query.ts';
import { type Json, type JsonMap, schemaComponents, schemaReference } from './schema-document.ts';

/** Version of the POS API (specification: Versioning). */
export const POS_API_VERSION = '1.0.0';

const introduction = `Drives a payment terminal from a point of sale: one call per payment, or the WebSocket session with its events.

Amounts are integers in the currency's minor unit (1000 is 10.00 EUR, and 1000 JPY). \`amount\` leaves out tip and cash-back.

HTTP 200 is not an approval: read \`status\`. When \`outcome.charged\` is UNKNOWN, look the transaction up; never charge again before the outcome is known.

Send an \`Idempotency-Key\` with every call that moves money. After a lost answer the same call under the same key gives the first result again, and never charges twice.`;

/** The OpenAPI 3.1 document of the POS address, made from the endpoint table. */
export function createOpenApiDocument(): JsonMap {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint);
    paths[endpoint.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Till Bridge POS API',
      version: POS_API_VERSION,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8443', description: 'The till itself' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: schemaComponents('openapi'),
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The POS key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The POS key as a bearer token.' },
      },
    },
  };
}

const responseHeaders: JsonMap = {
  'X-Request-Id': { description: 'Name of this call in the log.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'true when this is the first answer again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before a repeat.', schema: { type: 'integer', minimum: 0 } },
};

function headerReferences(names: readonly string[]): JsonMap {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function operation(endpoint: Endpoint): JsonMap {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)];
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.credential === 'none' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint),
    responses: { [String(endpoint.successStatus)]: success(endpoint), ...failures(endpoint.errors) },
  };
}

function pathParameters(endpoint: Endpoint): Json[] {
  return Object.entries(endpoint.pathParameters ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaReference(schema, 'openapi'),
  }));
}

function queryParameters(endpoint: Endpoint): Json[] {
  const query = endpoint.querySchema;
  if (query === undefined) return [];
  return Object.entries(query.properties).map(([name, property]) => {
    const schema = schemaReference(property, 'openapi');
    // Times may also be plain dates; every parameter may be left out, its default then holds.
    return { name, in: 'query', required: false, schema };
  });
}

function headerParameters(endpoint: Endpoint): Json[] {
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
  return wanted
    .filter(([, , isWanted]) => isWanted)
    .map(([name, property, , required]) => ({
      name,
      in: 'header',
      required,
      schema: schemaReference(CallHeaders.properties[property], 'openapi'),
    }));
}

function requestBody(endpoint: Endpoint): JsonMap {
  if (endpoint.requestSchema === undefined) return {};
  const example = endpoint.example === undefined ? {} : { example: endpoint.example as Json };
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaReference(endpoint.requestSchema, 'openapi'), ...example } },
    },
  };
}

function success(endpoint: Endpoint): JsonMap {
  const replayed = endpoint.idempotency === 'none' ? [] : ['Idempotent-Replayed'];
  const headers = headerReferences(['X-Request-Id', ...replayed]);
  if (endpoint.successStatus === 101) return { description: 'The connection is a WebSocket now.', headers };
  const schema =
    endpoint.successSchema === undefined
      ? { type: endpoint.successMediaType === 'text/html' ? 'string' : 'object' }
      : schemaReference(endpoint.successSchema, 'openapi');
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
