import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OfferedFile } from '../../app/ports/downloads.ts';
import { nodeClock, nodeIds } from '../../app/programs/node-ports.ts';
import { defaultConsoleServerSettings } from '../../app/server/console-options.ts';
import { buildConsoleServer, type ConsoleServer } from '../../app/server/console-server.ts';
import { quietLog } from '../support/engine-harness.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
let server: ConsoleServer;
let url: string;
let filesDir: string;
let screen: Screen;
let sessionId: string;

beforeEach(async () => {
  filesDir = mkdtempSync(join(tmpdir(), 'console-files-'));
  writeFileSync(join(filesDir, 'index.html'), '<!doctype html><title>Till</title>');
  harness = await createConsoleHarness();
  server = await buildConsoleServer(
    { door: harness.console, downloads: harness.downloads, clock: nodeClock, ids: nodeIds, log: quietLog },
    { ...defaultConsoleServerSettings, filesDir },
  );
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  screen = await harness.as('CASHIER');
  sessionId = harness.console.signedInSession(screen.cookie) ?? '';
});
afterEach(async () => {
  await server.close();
  await harness.stop();
  rmSync(filesDir, { recursive: true, force: true });
});

function fetchFile(path: string, cookie = screen.cookie, method = 'GET'): Promise<Response> {
  return fetch(`${url}${path}`, { method, headers: { cookie: `console_${new URL(url).port}=${cookie}` } });
}

function fileOf(text: string, fileName = 'report.csv'): OfferedFile {
  return {
    fileName,
    contentType: 'text/csv; charset=utf-8',
    async *open() {
      yield new TextEncoder().encode(text);
    },
  };
}

describe('a file for the browser', () => {
  it('is given once, as a file to save, and never kept', async () => {
    const { url: path } = harness.downloads.offer(sessionId, fileOf('a,b\r\n', 'Beleg "ä"\r\n1.csv'));
    expect(path).toMatch(/^\/downloads\/[A-Za-z0-9_-]{22}$/);
    const answer = await fetchFile(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('a,b\r\n');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Beleg _____1.csv"; filename*=UTF-8''Beleg%20%22%C3%A4%22%0D%0A1.csv`,
    );
    const again = await fetchFile(path);
    expect(again.status).toBe(404);
    expect(again.headers.get('content-disposition')).toBeNull();
  });

  it('is for the browser that asked, and only while somebody is signed in there', async () => {
    const other = await harness.as('ADMIN');
    const { url: path } = harness.downloads.offer(sessionId, fileOf('x'));
    expect((await fetchFile(path, other.cookie)).status).toBe(404);
    expect((await fetchFile(path, 'guess')).status).toBe(401);
    // A look at the headers gives the page, and does not use the file up.
    expect((await fetchFile(path, screen.cookie, 'HEAD')).headers.get('content-disposition')).toBeNull();
    await screen.get('session.signOut', {});
    expect((await fetchFile(path)).status).toBe(401);
    await screen.get('session.signIn', harness.staff.CASHIER);
    expect((await fetchFile(path)).status).toBe(200);
  });

  it('waits for a minute, and of too many the oldest is void', async () => {
    const late = harness.downloads.offer(sessionId, fileOf('late'));
    await harness.engine.clock.advance(60_000);
    expect((await fetchFile(late.url)).status).toBe(404);
    const offered = Array.from({ length: 33 }, (_, index) => harness.downloads.offer(sessionId, fileOf(`${index}`)));
    expect((await fetchFile(offered[0]?.url ?? '')).status).toBe(404);
    expect((await fetchFile(offered[1]?.url ?? '')).status).toBe(200);
    expect((await fetchFile(offered[32]?.url ?? '')).status).toBe(200);
  });

  it('is cut short when it fails on the way, so that nobody takes half for the whole', async () => {
    const file: OfferedFile = {
      ...fileOf(''),
      async *open() {
        yield new TextEncoder().encode('half');
        throw new Error('the disk is gone');
      },
    };
    const { url: path } = harness.downloads.offer(sessionId, file);
    await expect(fetchFile(path).then((answer) => answer.text())).rejects.toThrow();
  });

  it('stops being made when the browser goes away', async () => {
    let ended = false;
    const file: OfferedFile = {
      ...fileOf(''),
      async *open(signal) {
        try {
          while (!signal.aborted) yield new Uint8Array(65_536);
        } finally {
          ended = true;
        }
      },
    };
    const { url: path } = harness.downloads.offer(sessionId, file);
    const answer = await fetchFile(path);
    await answer.body?.cancel();
    await expect.poll(() => ended).toBe(true);
  });
});
