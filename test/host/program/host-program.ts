import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { endProgram, type Program, runProgram, startProgram, temporaryFolder } from '../../support/processes.ts';

export interface HostReady {
  readonly baseUrl: string;
  readonly database: string;
  readonly acquirer: string;
  readonly pid: number;
  readonly children: readonly number[];
  readonly simulator?: { readonly control: string; readonly book: string };
  readonly demo?: {
    readonly merchantId: string;
    readonly terminalId: string;
    readonly deviceId: string;
    readonly deviceToken: string;
    readonly secretKey: string;
    readonly publishableKey: string;
    readonly currency: string;
  };
}

export type HostProgram = Program<HostReady>;
export type Demo = NonNullable<HostReady['demo']>;

/** Starts hosts of one test file; what they leave running is ended with each test, what they leave on disk with the file. */
export function hostPrograms() {
  const folder = temporaryFolder();
  const running: HostProgram[] = [];
  const simulators = new Map<string, string>();
  let count = 0;

  afterEach(async () => {
    for (const host of running.splice(0)) await endProgram(host);
    for (const control of simulators.values()) await stopSimulator(control);
    simulators.clear();
  });
  afterAll(() => folder.remove());

  return {
    /** An empty data folder. */
    dataDir(): string {
      count += 1;
      return join(folder.path, `host-${count}`);
    },
    async start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<HostProgram> {
      const host = await startProgram<HostReady>('host/main', ['--port', '0', ...args], environment);
      running.push(host);
      const { simulator } = host.ready;
      if (simulator !== undefined) simulators.set(simulator.book, simulator.control);
      return host;
    },
  };
}

async function stopSimulator(control: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${control}/stop`, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
}

export function demoOf({ ready }: HostProgram): Demo {
  if (ready.demo === undefined) throw new Error('no demo');
  return ready.demo;
}

/** What an admin command answers, read. */
export async function admin(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Record<string, string>> {
  const { code, output, errors } = await runProgram('host/main', ['admin', ...args, '--json'], environment);
  if (code !== 0) throw new Error(errors);
  return JSON.parse(output);
}

/** One call, and what came back. */
export async function call(
  { ready }: HostProgram,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<{ status: number; headers: Headers; text: string; json: () => Record<string, unknown> }> {
  const answer = await fetch(ready.baseUrl + path, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const apiKey = (key: string) => ({ 'x-api-key': key });

/** A purchase at the demo terminal. */
export function purchase(
  host: HostProgram,
  { deviceToken, deviceId, terminalId }: Demo,
  key: string,
  amount = 1000,
): ReturnType<typeof call> {
  const body = { deviceId, terminalId, amount, currencyCode: 'EUR', entryMode: 'CONTACTLESS' };
  const headers = { ...bearer(deviceToken), 'idempotency-key': key };
  return call(host, 'POST', '/api/v1/terminal/transactions/authorize', headers, body);
}
