import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ErrorResponse } from '../../../app/contract/errors.ts';
import { type HostEndpointId, hostEndpointOf, hostEndpoints } from '../../../app/contract/host/host-endpoints.ts';
import { validate } from '../../../app/contract/validate.ts';
import { plain, type Schema } from '../../contract/field-check.ts';
import {
  hostEndpointsOfSpec,
  hostResources,
  type SpecEndpoint,
  type SpecFields,
  spec,
} from '../../contract/spec-document.ts';
import { endProgram, startProgram, temporaryFolder } from '../../support/processes.ts';
import type { TestDatabase } from '../test-databases.ts';
import { admin, apiKey, bearer, call, demoOf, type HostReady } from './host-program.ts';
import { preparations, rightHeaders, type Served, send } from './served-calls.ts';

const walked = new Set<HostEndpointId>();

interface Wrong {
  readonly name: string;
  readonly status: 401 | 403;
  readonly headers: Record<string, string>;
}

/** Every kind of credential that is not the right one of this row, in either header. */
function wrongFor({ demo }: Served, id: HostEndpointId): readonly Wrong[] {
  const { credential } = hostEndpointOf(id);
  const { deviceToken, secretKey, publishableKey } = demo;
  const kinds: readonly Wrong[] = [
    { name: 'none', status: 401, headers: {} },
    { name: 'publishable key', status: 403, headers: apiKey(publishableKey) },
    { name: 'publishable key as Bearer', status: 403, headers: bearer(publishableKey) },
    { name: 'device token in X-Api-Key', status: 403, headers: apiKey(deviceToken) },
    { name: 'secret key as Bearer', status: 403, headers: bearer(secretKey) },
  ];
  const other = credential === 'device' ? apiKey(secretKey) : bearer(deviceToken);
  return [...kinds, { name: 'the other kind', status: 403, headers: other }];
}

/** A value that no field of this kind takes. */
const wrongValues: Readonly<Record<string, unknown>> = {
  string: 7,
  enum: 7,
  datetime: 7,
  integer: '1',
  boolean: 'yes',
  map: 7,
  object: 7,
  array: 7,
};

/** What a body lacks of the fields that the specification says are always there, or has in another form. */
function lacking(owner: string, fields: SpecFields, body: unknown): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type, required, nullable, resource, items }]) => {
    const where = `${owner}.${name}`;
    const value = Object(body)[name];
    if (value === undefined) return required === true ? [`${where} is not there`] : [];
    if (value === null) return nullable === true ? [] : [`${where} is null`];
    const forms: Readonly<Record<string, boolean>> = {
      integer: Number.isSafeInteger(value),
      boolean: typeof value === 'boolean',
      array: Array.isArray(value),
      object: typeof value === 'object',
      map: typeof value === 'object',
    };
    if (!(forms[type ?? ''] ?? typeof value === 'string')) return [`${where} is no ${type}`];
    const inner = resource ?? (typeof items === 'object' ? items.resource : undefined);
    const innerFields = inner === undefined ? undefined : spec.resources[inner]?.fields;
    if (innerFields === undefined) return [];
    return (Array.isArray(value) ? value : [value]).flatMap((each) => lacking(where, innerFields, each));
  });
}

/** A schema of a document with what it refers to in its place. */
function inlined(value: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const reference = Object(value).$ref;
  if (typeof reference === 'string') return inlined(schemas[reference.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(inner, schemas)]));
}

/** The contract and the tables of the specification, held against a host program that runs. */
export function servedBattery(databases: TestDatabase): void {
  const folder = temporaryFolder();
  let served: Served;

  beforeAll(async () => {
    const environment = { TILL_HOST_DATABASE_URL: await databases.create() };
    const dataDir = `${folder.path}/host`;
    const host = await startProgram<HostReady>(
      'host/main',
      ['--port', '0', '--data-dir', dataDir, '--demo'],
      environment,
    );
    const run = (...args: readonly string[]) => admin([...args, '--data-dir', dataDir], environment);
    const { merchantId = '' } = await run('merchants', 'add', '--name', 'Another');
    const of = ['--merchant', merchantId] as const;
    await run('terminals', 'add', ...of, '--name', 'Lane', '--currency', 'EUR', '--id', 'T-1');
    const { pairingCode = '' } = await run('pairing-codes', 'add', ...of, '--terminal', 'T-1');
    served = { host, demo: demoOf(host), pairingCode };
  });
  afterAll(async () => {
    await endProgram(served.host);
    const stop = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await fetch(`${served.host.ready.simulator?.control}/stop`, stop).catch(() => undefined);
    folder.remove();
  });

  describe('every endpoint of the table', () => {
    it.each(hostEndpoints.map(({ id }) => id))(
      '%s answers its documented example, and no credential but its own',
      async (id) => {
        const row = hostEndpointOf(id);
        const prepared = await preparations[id](served);
        const sent = { idempotencyKey: `served:${id}`, ...prepared };
        if (row.credential !== 'none') {
          for (const { name, status, headers } of wrongFor(served, id)) {
            const refused = await send(served, id, sent, headers);
            const code = status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN';
            expect([refused.status, refused.json().error], name).toEqual([status, code]);
            validate(ErrorResponse, refused.json());
          }
        }
        const claim = id === 'device.claimSession' ? { 'idempotency-key': 'claim-1' } : {};
        const answer = await send(served, id, sent, { ...rightHeaders(served, id), ...claim });
        // What was refused has left nothing under its key.
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
        await expectDocumented(id, answer);
        walked.add(id);
        await prepared.after?.();
      },
    );

    async function expectDocumented(id: HostEndpointId, answer: Awaited<ReturnType<typeof send>>): Promise<void> {
      const row = hostEndpointOf(id);
      if (id === 'host.balanceInquiry') {
        expect([answer.status, answer.json().error]).toEqual([503, 'BALANCE_NOT_CONFIGURED']);
        return;
      }
      if (id === 'device.link') {
        expect([answer.status, answer.json().error]).toEqual([426, 'UPGRADE_REQUIRED']);
        expect(await linkStatus(served, rightHeaders(served, id))).toBe(101);
        for (const { name, status, headers } of wrongFor(served, id)) {
          expect(await linkStatus(served, headers), name).toBe(status);
        }
        return;
      }
      expect(answer.status, answer.text).toBe(row.successStatus);
      expect(answer.headers.get('content-type')).toContain(row.successMediaType);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      if (row.successSchema !== undefined) validate(row.successSchema, answer.json());
      const resource = hostEndpointsOfSpec.find((endpoint) => endpoint.id === id)?.success.body;
      if (typeof resource === 'string') {
        expect(lacking(resource, spec.resources[resource]?.fields ?? {}, answer.json())).toEqual([]);
      }
    }

    it('has walked every path of the specification, and every row of the table', () => {
      expect(hostEndpointsOfSpec.length).toBeGreaterThan(10);
      const specified = hostEndpointsOfSpec.map((endpoint) => endpoint.id);
      expect(specified.filter((id) => ![...walked].some((known) => known === id))).toEqual([]);
      expect(hostEndpoints.map(({ id }) => id).filter((id) => !walked.has(id))).toEqual([]);
    });
  });

  describe('the field tables of the specification', () => {
    const withRequest = hostEndpointsOfSpec.filter(({ request }) => request !== null);

    it.each(withRequest)(
      '$id refuses each field of its table in a wrong form, and without each that is required',
      async (endpoint) => {
        const id = hostEndpoints.find((row) => row.id === endpoint.id)?.id;
        if (id === undefined) throw new Error('no such row');
        for (const { field, body } of wrongBodies(endpoint, Object(hostEndpointOf(id).example))) {
          const path = id === 'tipConfig.put' ? { id: served.demo.merchantId } : { id: 'any' };
          const answer = await send(served, id, { path, body }, rightHeaders(served, id));
          expect([field, answer.status, answer.json().error]).toEqual([field, 400, 'INVALID_REQUEST']);
          expect(answer.json().message).toContain(field);
        }
      },
    );

    it.each(hostResources)('%s stands as specified in the document that the host serves', async (name) => {
      const document = (await call(served.host, 'GET', '/openapi.json')).json();
      const components: Readonly<Record<string, unknown>> = Object(document.components).schemas;
      const schema = plain(inlined(components[name], components));
      const fields = spec.resources[name]?.fields ?? {};
      expect(Object.keys(fields).filter((field) => schema.properties?.[field] === undefined)).toEqual([]);
      expect(requiredDifferences(fields, schema)).toEqual([]);
    });

    it('give each path of the specification its kind of key in the document that the host serves', async () => {
      const { paths } = (await call(served.host, 'GET', '/openapi.json')).json();
      const schemes: Readonly<Record<string, string>> = { device: 'deviceToken', secret: 'secretKey' };
      for (const { path, method, credential } of hostEndpointsOfSpec) {
        const { security } = Object(paths)[path][method.toLowerCase()];
        expect(security, path).toEqual([{ [schemes[credential ?? ''] ?? '']: [] }]);
      }
    });
  });
}

function requiredDifferences(fields: SpecFields, schema: Schema): readonly string[] {
  return Object.entries(fields).flatMap(([name, { required }]) => {
    const isRequired = schema.required?.includes(name) === true;
    return required !== null && required !== isRequired ? [`${name}: required must be ${required}`] : [];
  });
}

/** The example with one thing wrong each: a field in a form that it cannot have, a required one left out, one that is none. */
function wrongBodies(
  endpoint: SpecEndpoint,
  example: object,
): readonly { readonly field: string; readonly body: unknown }[] {
  const fields = spec.resources[endpoint.request ?? '']?.fields ?? {};
  const others = Object.entries(fields).filter(([name]) => name !== 'type');
  const misformed = others.map(([field, { type }]) => ({
    field,
    body: { ...example, [field]: wrongValues[type ?? ''] ?? 7 },
  }));
  const isAlwaysRequired = ([name, { required }]: (typeof others)[number]) => required === true && name in example;
  const without = others
    .filter(isAlwaysRequired)
    .map(([field]) => ({ field, body: { ...example, [field]: undefined } }));
  return [...misformed, ...without, { field: 'amunt', body: { ...example, amunt: 1 } }];
}

/** What the upgrade to the terminal's link is answered with. */
async function linkStatus({ host }: Served, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${host.ready.baseUrl.replace('http', 'ws')}/api/v1/terminal/link`, { headers });
  return await new Promise((resolve, reject) => {
    socket.on('error', () => {});
    socket.once('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('close', () => reject(new Error('closed before it was answered')));
  });
}
