import { createBirpc } from 'birpc';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import {
  CONSOLE_SOCKET_PATH,
  type ConsoleClientFunctions,
  type ConsoleServerFunctions,
} from '../../app/contract/console/channel.ts';
import type { ProcedureName, ProcedureRequest, ProcedureResponse } from '../../app/contract/console/procedures.ts';

/** Calls a procedure as whoever is signed in at the page, past its screen. @throws Error with the refusal */
export async function callConsole<Name extends ProcedureName>(
  page: Page,
  name: Name,
  request: ProcedureRequest<Name>,
): Promise<ProcedureResponse<Name>> {
  const { origin, host } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const cookie = cookies.map(({ name: key, value }) => `${key}=${value}`).join('; ');
  const socket = new WebSocket(`ws://${host}${CONSOLE_SOCKET_PATH}`, { headers: { cookie, origin } });
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
    },
  );
  const answer = await rpc.call(name, request);
  socket.close();
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value as ProcedureResponse<Name>;
}
