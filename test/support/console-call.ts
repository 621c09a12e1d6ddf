import { createBirpc } from 'birpc';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import {
  CONSOLE_SOCKET_PATH,
  type ConsoleClientFunctions,
  type ConsoleServerFunctions,
} from '../../app/contract/console/channel.ts';
import type { ProcedureName, ProcedureRequest, ProcedureResponse } from '../../app/contract/console/procedures.ts';

/** A line to the console past its screen, as whoever the cookie belongs to. */
export interface ConsoleLine {
  call<Name extends ProcedureName>(name: Name, request: ProcedureRequest<Name>): Promise<ProcedureResponse<Name>>;
  /** Whatever it is; a refusal is an answer too. @throws Error when the till ends the line */
  send(name: string, request: unknown): Promise<unknown>;
  close(): void;
}

export async function openConsoleLine(origin: string, cookie: string): Promise<ConsoleLine> {
  const url = `${origin.replace('http', 'ws')}${CONSOLE_SOCKET_PATH}`;
  const socket = new WebSocket(url, { headers: { cookie, origin } });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const rpc = createBirpc<ConsoleServerFunctions, ConsoleClientFunctions>(
    { event: () => undefined, signedOut: () => undefined, virtualTerminal: () => undefined },
    {
      post: (message) => socket.send(message),
      on: (receive) => socket.on('message', (data) => receive(String(data))),
      serialize: JSON.stringify,
      deserialize: (text) => JSON.parse(text),
      // A call may take as long as a payment.
      timeout: -1,
    },
  );
  // What is no message of the console ends the line: whoever waits for its answer is told.
  socket.once('close', () => rpc.$close(new Error('the till has ended the line')));
  return {
    async call<Name extends ProcedureName>(name: Name, request: ProcedureRequest<Name>) {
      const answer = await rpc.call(name, request);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value as ProcedureResponse<Name>;
    },
    send: (name, request) => rpc.call(name as ProcedureName, request as never),
    close: () => socket.close(),
  };
}

/** Calls a procedure as whoever is signed in at the page. @throws Error with the refusal */
export async function callConsole<Name extends ProcedureName>(
  page: Page,
  name: Name,
  request: ProcedureRequest<Name>,
): Promise<ProcedureResponse<Name>> {
  const { origin } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const line = await openConsoleLine(origin, cookies.map(({ name: key, value }) => `${key}=${value}`).join('; '));
  try {
    return await line.call(name, request);
  } finally {
    line.close();
  }
}

/** The cookie of a browser that opens the address with its one-time token. */
export async function cookieOf(consoleUrl: string): Promise<string> {
  const { headers } = await fetch(consoleUrl, { redirect: 'manual' });
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return cookie;
}
