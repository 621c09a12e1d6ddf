import { mkdtempSync, rmSync } from 'node:fs';
import { get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookSummary } from '../../../drivers/virtual/book/summary.ts';
import { parseOptions } from '../../../drivers/virtual/options.ts';
import { type StartDeps, startVirtualTerminal } from '../../../drivers/virtual/start-virtual-terminal.ts';
import { createSystemClock } from '../../../drivers/virtual/system-clock.ts';
import type { TerminalView } from '../../../drivers/virtual/terminal-view.ts';

interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ControlClient {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ControlAnswer>;
  state(): Promise<TerminalView & Record<string, unknown>>;
  book(): Promise<BookSummary>;
  arm(rule: string, times?: number): Promise<ControlAnswer>;
  /** remembers every state from now on, until the test ends it */
  watch(): { readonly links: readonly string[]; end(): void };
  /** asks until the state is as wanted */
  untilState(isWanted: (view: TerminalView) => boolean): Promise<TerminalView>;
}

const WAIT_MS = 20_000;

export function controlClient(url: string): ControlClient {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    new Promise<ControlAnswer>((resolve, reject) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
      const json = method === 'GET' ? {} : { 'content-type': 'application/json' };
      const outgoing = request(
        `${url}${path}`,
        { method, agent: false, headers: { ...json, ...headers } },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            received += part;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(received) }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(method === 'GET' || method === 'DELETE' ? undefined : text);
    });
  const state = async () => (await send('GET', '/state')).body as TerminalView & Record<string, unknown>;
  return {
    send,
    state,
    book: async () => (await send('GET', '/book')).body as BookSummary,
    watch() {
      const links: string[] = [];
      const stream = get(`${url}/events`, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => {
          for (const [, link] of text.matchAll(/"link":"(UP|DOWN)"/g)) if (link !== undefined) links.push(link);
        });
      });
      return { links, end: () => stream.destroy() };
    },
    arm: (rule, times = 1) => send('POST', '/next', { rule, times }),
    async untilState(isWanted) {
      const deadline = Date.now() + WAIT_MS;
      for (let view = await state(); ; view = await state()) {
        if (isWanted(view)) return view;
        if (Date.now() > deadline) throw new Error(`The terminal stayed in ${JSON.stringify(view)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'virtual-terminal-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a terminal within the test: no thinking time, short outages. */
export async function startTestTerminal(
  args: readonly string[],
  overrides: StartDeps['overrides'] = {},
  onEnd: (error?: unknown) => void = () => {},
) {
  const running = await startVirtualTerminal(parseOptions(args), {
    clock: createSystemClock(),
    onEnd,
    overrides: { outageMs: 300, slowMs: 300, ...overrides },
  });
  return { ...running, port: running.ready.tcp ?? 0, control: controlClient(running.ready.controlUrl) };
}

export type TestTerminal = Awaited<ReturnType<typeof startTestTerminal>>;
