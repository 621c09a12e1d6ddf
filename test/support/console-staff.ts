import { createBirpc } from 'birpc';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import {
  CONSOLE_SOCKET_PATH,
  type ConsoleClientFunctions,
  type ConsoleServerFunctions,
} from '../../app/contract/console/channel.ts';
import type { ProcedureRequest } from '../../app/contract/console/procedures.ts';

/** Adds a member of the staff as the administrator who is signed in at the page. @throws Error with the refusal */
export async function addStaff(page: Page, member: ProcedureRequest<'staff.create'>): Promise<void> {
  const { origin, host } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
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
  const answer = await rpc.call('staff.create', member);
  socket.close();
  if (!answer.ok) throw new Error(answer.refusal.message);
}

/** Signs out whoever is there, and somebody else in. */
export async function changeStaff(page: Page, name: string, pin: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: /\(/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel(`PIN of ${name}`).fill(pin);
  await page.keyboard.press('Enter');
}
