import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeptProgram } from '../../app/programs/kept-program.ts';
import { temporaryFolder } from '../support/processes.ts';

/** Longer than a call to such a program may usually last. */
const SLOW_MS = 3_500;

let folder: ReturnType<typeof temporaryFolder>;
let server: Server;
let answerAfterMs: number | undefined;
/** What the program says that it is. */
let pid: number;

beforeEach(async () => {
  folder = temporaryFolder();
  answerAfterMs = 0;
  pid = process.pid;
  server = createServer((_request, response) => {
    if (answerAfterMs !== undefined) setTimeout(() => response.end(JSON.stringify({ pid })), answerAfterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  folder.remove();
});

/** What an earlier run has left in the folder. */
function leave(text: string): void {
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(join(folder.path, 'address.json'), text);
}

const addressOf = (owner: number) => ({
  controlUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  pid: owner,
});
const fresh = { controlUrl: 'http://127.0.0.1:1', pid: 1 };

async function opened(patienceMs?: number) {
  const { address, release } = await openKeptProgram({
    ...{ name: 'The program', program: 'none', args: [], folder: folder.path, logName: 'program.log' },
    startProgram: async () => JSON.stringify(fresh),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  release();
  return address;
}

it('finds a program again that lives and is slow to answer', async () => {
  leave(JSON.stringify(addressOf(process.pid)));
  answerAfterMs = SLOW_MS;
  expect(await opened()).toEqual(addressOf(process.pid));
});

it('starts no second one beside a program that lives and does not answer at all', async () => {
  leave(JSON.stringify(addressOf(process.pid)));
  answerAfterMs = undefined;
  await expect(opened(100)).rejects.toThrow(`The program of an earlier run (process ${process.pid}) does not answer`);
});

it('starts a new one at once where the earlier process has ended, whoever has its port now', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  leave(JSON.stringify(addressOf(ended)));
  answerAfterMs = undefined;
  expect(await opened()).toEqual(fresh);
});

it('starts a new one where nobody listens, and where another program answers', async () => {
  const left = addressOf(process.pid);
  leave(JSON.stringify(left));
  pid = process.pid + 1;
  expect(await opened()).toEqual(fresh);
  leave(JSON.stringify(left));
  await new Promise((resolve) => server.close(resolve));
  expect(await opened()).toEqual(fresh);
});

it('starts a new one where none has been, and where what was left is no address', async () => {
  expect(await opened()).toEqual(fresh);
  for (const text of ['', '{', 'null', '{"pid":1}']) {
    leave(text);
    expect(await opened(), text).toEqual(fresh);
  }
});
