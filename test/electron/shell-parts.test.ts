import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { endProgram, startVirtualTerminal } from '../support/processes.ts';
import { startWireProxy } from '../support/wire-proxy.ts';
import { openDouble } from './shell-harness.ts';
import { createShellShops } from './shell-shops.ts';

/** A busy machine takes its time; what is waited for is a state. */
const patience = { timeout: 20_000 };

/** What the shell does with the system's parts, on the double: it can be asked what Electron was told. */
const shops = createShellShops(openDouble);
afterEach(() => shops.close());
afterAll(() => shops.end());

const signInField = (page: Page) => page.getByLabel('PIN of Training');
const filesOf = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

describe('the vault', () => {
  it('seals the secret of the window by the key store of the system', async () => {
    const { shell } = await shops.open();
    await signInField(shell.page).waitFor();
    expect(filesOf(join(shell.ready.dataDir, 'vault'))).toEqual(['shell-console.safe']);
    expect(shell.errors()).not.toContain('key store');
  });

  it.each(['basic_text', 'unknown'])(
    'says in one line that there is none (%s), and seals under a key of its own',
    async (DOUBLE_KEY_STORE) => {
      const shop = await shops.open([], [], { DOUBLE_KEY_STORE });
      const { dataDir } = shop.shell.ready;
      await signInField(shop.shell.page).waitFor();
      expect(filesOf(join(dataDir, 'vault')).sort()).toEqual(['key', 'shell-console.sealed']);
      expect(shop.shell.errors().match(/^This machine has no key store: .*$/gm)).toHaveLength(1);
    },
  );
});

describe('sleep', () => {
  it('is noted, and after it the terminal is asked at once', async () => {
    const terminal = await startVirtualTerminal(['--tcp', '0', '--book', join(shops.folder, 'asleep.jsonl')]);
    let enquiries = 0;
    const proxy = await startWireProxy(terminal.ready.tcp ?? 0, {
      async before({ direction, hex }) {
        if (direction === 'FROM_TILL' && hex.startsWith('0501')) enquiries += 1;
      },
    });
    try {
      const url = `zvt+tcp://127.0.0.1:${proxy.port}?password=000000&currency=EUR`;
      const { shell } = await shops.open([], ['--terminal', url]);
      await signInField(shell.page).waitFor();
      await shell.ask('power', 'suspend');
      const logged = () =>
        filesOf(join(shell.ready.dataDir, 'logs')).map((name) =>
          readFileSync(join(shell.ready.dataDir, 'logs', name), 'utf8'),
        );
      await expect.poll(() => logged().join(''), patience).toContain('the machine goes to sleep');
      const before = enquiries;
      await shell.ask('power', 'resume');
      await expect.poll(() => enquiries, patience).toBeGreaterThan(before);
    } finally {
      await shops.close();
      await proxy.close();
      await endProgram(terminal);
    }
  });

  it('of the machine for good ends the till, and asks nobody', async () => {
    const { shell } = await shops.open();
    await shell.ask('power', 'shutdown');
    expect(await shell.ended).toBe(0);
    expect(filesOf(shell.ready.dataDir)).toContain('journal.db');
  });
});

describe('the window', () => {
  it('is put away by its cross and brought back by the tray, whose other entry ends the till', async () => {
    const { shell } = await shops.open();
    await signInField(shell.page).waitFor();
    await shell.closeWindow();
    expect(await shell.ask('window')).toMatchObject({ isShown: false, hasTray: true });
    await shell.ask('tray', 'Show the till');
    await expect.poll(() => shell.isShown(), patience).toBe(true);
    await shell.ask('tray', 'Quit');
    expect(await shell.ended).toBe(0);
  });

  it('fills the screen in kiosk mode: it cannot be put away, and has no tools of developers', async () => {
    const { shell } = await shops.open([], ['--kiosk']);
    await signInField(shell.page).waitFor();
    const { options } = await shell.ask('window');
    expect(options).toMatchObject({ kiosk: true, webPreferences: { devTools: false } });
    await shell.closeWindow();
    expect(await shell.isShown()).toBe(true);
  });

  it('is made again when its page crashes: whoever was signed in still is, and the payment goes on', async () => {
    const { shell, control } = await shops.open(['--manual']);
    const { page } = shell;
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.type('1999');
    await page.keyboard.press('Enter');
    await control.untilState(({ state }) => state === 'WAITING_FOR_CARD');
    const context = page.context();
    const made = context.waitForEvent('page', patience);
    const devtools = await context.newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined);
    const next = await made;
    await next.getByRole('button', { name: /Training \(administrator\)/ }).waitFor();
    await control.send('POST', '/card', { card: 'visa-contactless' });
    await next.getByRole('link', { name: /^Activity/ }).click();
    const payment = next.getByRole('listbox', { name: 'Activity' }).getByRole('option').filter({ hasText: '€19.99' });
    await payment.filter({ hasText: 'Paid' }).waitFor();
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1999 });
  });

  it('leaves files of the console on the disk where the person says, and none of anybody else', async () => {
    const { shell } = await shops.open();
    // Electron asks for the place itself as long as nobody names one.
    expect(await shell.ask('download', 'app://console/downloads/x')).toEqual({ isPrevented: false, isPlaced: false });
    for (const url of ['https://example.com/x.exe', 'app://console.example/x', 'file:///etc/passwd'])
      expect(await shell.ask('download', url), url).toMatchObject({ isPrevented: true });
  });
});
