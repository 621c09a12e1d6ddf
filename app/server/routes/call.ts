import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Endpoint } from '../../contract/endpoints.ts';
import { BridgeError } from '../../contract/errors.ts';
import { type CallHeaders, parseHeaders, parseQuery, type TextFields } from '../../contract/query.ts';
import { validate, validateRequest } from '../../contract/validate.ts';
import type { Call } from './handler.ts';

const nothing = Type.Object({}, { additionalProperties: false });

/** Reads what a call carries beside its body. @throws BridgeError INVALID_REQUEST naming the header */
export function readCall(endpoint: Endpoint, request: FastifyRequest): Call {
  const pathParameters = stringsOf(request.params);
  const headers = readHeaders(endpoint, request);
  return {
    caller: request.caller,
    pathParameters,
    languages: request.headers['accept-language'] ?? '',
    context: {
      clientId: request.caller?.clientId ?? 'none',
      actor: request.caller === null ? 'none' : `pos:${request.caller.name}`,
      requestId: request.id,
      route: `${endpoint.method} ${filled(endpoint.path, pathParameters)}`,
      ...optional('terminalId', headers['x-terminal-id']),
      ...optional('idempotencyKey', headers['idempotency-key']),
      ...optional('timeoutSeconds', headers['x-timeout-seconds']),
    },
  };
}

/** The validated body or query of a call. @throws BridgeError INVALID_REQUEST naming the field */
export function readInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const query = queryOf(request.url);
  if (endpoint.querySchema !== undefined) return parseQuery(endpoint.querySchema, query);
  // A parameter that would be ignored, such as a terminalId in the wrong place, is told instead.
  if (endpoint.credential === 'pos') parseQuery(nothing, query);
  if (endpoint.requestSchema !== undefined) return validateRequest(endpoint.requestSchema, presentBody(request));
  if (endpoint.method === 'POST' && request.body !== undefined) validate(nothing, request.body);
  return undefined;
}

function presentBody(request: FastifyRequest): unknown {
  if (request.body === undefined) throw new BridgeError('INVALID_REQUEST', 'a JSON body is needed');
  return request.body;
}

/** Headers that say nothing about this endpoint are not looked at. */
function readHeaders(endpoint: Endpoint, request: FastifyRequest): CallHeaders {
  const { headers } = request;
  const read = parseHeaders({
    'x-terminal-id': headers['x-terminal-id'],
    'idempotency-key': endpoint.idempotency === 'none' ? undefined : headers['idempotency-key'],
    'x-timeout-seconds': endpoint.waitsForTerminal ? headers['x-timeout-seconds'] : undefined,
  });
  if (endpoint.idempotency === 'required' && read['idempotency-key'] === undefined) {
    throw new BridgeError('INVALID_REQUEST', 'idempotency-key is required', { field: 'idempotency-key' });
  }
  return read;
}

/** Names and values of a URL's query; an array where a name is given more than once. */
export function queryOf(url: string): TextFields {
  const begin = url.indexOf('?');
  if (begin === -1) return {};
  const parameters = new URLSearchParams(url.slice(begin + 1));
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(names.map((name) => [name, single(parameters.getAll(name))]));
}

function single(values: readonly string[]): string | readonly string[] | undefined {
  return values.length === 1 ? values[0] : values;
}

function stringsOf(parameters: unknown): Record<string, string> {
  if (typeof parameters !== 'object' || parameters === null) return {};
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return Object.fromEntries(Object.entries(parameters).filter(isText));
}

/** `/v1/transactions/{id}/capture` with its ids: part of the idempotency scope, whatever way the caller has escaped them. */
function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => parameters[name] ?? whole);
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  // The computed key makes TypeScript lose the name.
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
