import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { EndpointRow } from '../contract/endpoint.ts';
import { BridgeError } from '../contract/errors.ts';
import { type CallHeaders, parseHeaders, parseQuery, type TextFields } from '../contract/query.ts';
import { validate, validateRequest } from '../contract/validate.ts';

const nothing = Type.Object({}, { additionalProperties: false });

/** The validated body or query of a call. @throws BridgeError INVALID_REQUEST naming the field */
export function readInput(endpoint: EndpointRow, request: FastifyRequest): unknown {
  const query = queryOf(request.url);
  if (endpoint.querySchema !== undefined) return parseQuery(endpoint.querySchema, query);
  // A parameter that would be ignored, such as a terminalId in the wrong place, is told instead.
  if (endpoint.credential !== 'none') parseQuery(nothing, query);
  if (endpoint.requestSchema !== undefined) {
    return validateRequest(endpoint.requestSchema, bodyOf(endpoint, request));
  }
  if (endpoint.method === 'POST' && request.body !== undefined) validate(nothing, request.body);
  return undefined;
}

function bodyOf(endpoint: EndpointRow, request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body;
  if (endpoint.hasOptionalBody === true) return {};
  throw new BridgeError('INVALID_REQUEST', 'a JSON body is needed');
}

/**
 * Headers that say nothing about this endpoint are not looked at.
 * @param picksTerminal whether X-Terminal-Id is read
 * @throws BridgeError INVALID_REQUEST naming the header
 */
export function readHeaders(endpoint: EndpointRow, request: FastifyRequest, picksTerminal: boolean): CallHeaders {
  const { headers } = request;
  const read = parseHeaders({
    'x-terminal-id': picksTerminal ? headers['x-terminal-id'] : undefined,
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

/** What stands in the path for its parameters. @throws BridgeError NOT_FOUND for an empty one, which names nothing */
export function pathParametersOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const { params } = request;
  if (typeof params !== 'object' || params === null) return {};
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  const parameters = Object.fromEntries(Object.entries(params).filter(isText));
  if (Object.values(parameters).includes('')) throw new BridgeError('NOT_FOUND', 'nothing is known under that path');
  return parameters;
}

/** `POST /v1/transactions/{id}/capture` with its ids: part of the idempotency scope, whatever way the caller has escaped them. */
export function routeOf(endpoint: EndpointRow, parameters: Readonly<Record<string, string>>): string {
  const filled = endpoint.path.replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => parameters[name] ?? whole);
  return `${endpoint.method} ${filled}`;
}

/** `/v1/transactions/{id}` as the router writes it. */
export function routePath(path: string): string {
  return path.replace(/\{([A-Za-z]+)\}/g, ':$1');
}

/** A field that is there when it has a value. */
export function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  // The computed key makes TypeScript lose the name.
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
