import type { IncomingMessage } from 'node:http';
import { vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { goodKey } from '../support/fake-till.ts';

export interface SessionClient {
  readonly socket: WebSocket;
  readonly upgrade: IncomingMessage;
  /** Texts as they came. */
  readonly texts: string[];
  /** The same, read. */
  messages(): Record<string, unknown>[];
  send(message: object | string): void;
  /** Resolves with the messages when there are as many. */
  received(count: number): Promise<Record<string, unknown>[]>;
  closed(): Promise<{ code: number; reason: string }>;
}

export interface OpenOptions extends ClientOptions {
  readonly query?: string;
}

const withKey = { 'x-api-key': goodKey };

/** Opens a session as a POS program does. @throws Error whose message holds the status when the upgrade is refused */
export async function openSession(
  url: string,
  { query = '', headers = withKey, ...options }: OpenOptions = {},
): Promise<SessionClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/session${query}`, { headers, ...options });
  const texts: string[] = [];
  socket.on('message', (data) => texts.push(String(data)));
  const end = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const upgraded = new Promise<IncomingMessage>((resolve) => socket.once('upgrade', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  const messages = (): Record<string, unknown>[] => texts.map((text) => JSON.parse(text));

  return {
    socket,
    upgrade: await upgraded,
    texts,
    messages,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    received: async (count) => {
      await vi.waitFor(() => {
        if (texts.length < count) throw new Error(`${texts.length} of ${count} messages`);
      }, 10_000);
      return messages();
    },
    closed: () => end,
  };
}

/** The status and code with which an upgrade is refused. */
export function refusedUpgrade(
  url: string,
  { query = '', headers = withKey, ...options }: OpenOptions = {},
): Promise<{ statusCode: number | undefined; body: Record<string, unknown>; headers: IncomingMessage['headers'] }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/session${query}`, { headers, ...options });
    socket.once('open', () => {
      socket.terminate();
      reject(new Error('the upgrade was accepted'));
    });
    socket.once('error', () => {});
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ statusCode: response.statusCode, body: JSON.parse(text), headers: response.headers }),
      );
    });
  });
}
