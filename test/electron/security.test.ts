import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHELL_OPEN, SHELL_TEXT } from '../../app/contract/console/shell.ts';
import { projectRoot } from '../support/project-root.ts';
import { type DoubledShell, openDouble } from './shell-harness.ts';
import { createShellShops } from './shell-shops.ts';

/** A busy machine takes its time; what is waited for is a state. */
const patience = { timeout: 20_000 };

/** Electron's own list (docs/tutorial/security.md), an item each. */
const shops = createShellShops(openDouble);
let shell: DoubledShell;
beforeAll(async () => {
  ({ shell } = await shops.open());
});
afterAll(async () => {
  await shops.close();
  shops.end();
});

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const sources = ['console-window', 'console-protocol', 'lock-down', 'console-ipc', 'shell', 'power', 'quit-gate'];
const shellSource = () =>
  [...sources.map((name) => read(`main/electron/${name}.ts`)), read('main/index.ts')].join('\n');
async function preferences(): Promise<Record<string, unknown>> {
  return { ...(await shell.ask('window')).options?.webPreferences };
}

/** What the page gets when it asks for an address by itself. */
function fetched(url: string): Promise<string> {
  return shell.page.evaluate(
    (address) =>
      fetch(address).then(
        ({ status }) => String(status),
        () => 'refused',
      ),
    url,
  );
}

describe("Electron's security list", () => {
  it('1: only secure content is loaded: the shell lets no other address through', async () => {
    for (const url of ['http://example.com/', 'https://example.com/x.js', 'ws://127.0.0.1:1/', 'file:///etc/passwd'])
      expect(await shell.ask('mayRequest', url), url).toBe(false);
    expect(await shell.ask('mayRequest', 'app://console/')).toBe(true);
    expect(await shell.ask('mayRequest', 'blob:https://example.com/1')).toBe(false);
  });

  it('2: no Node in the page', async () => {
    expect(await preferences()).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
    expect(
      await shell.page.evaluate(() => ['require', 'process', 'module', 'Buffer'].filter((name) => name in window)),
    ).toEqual([]);
  });

  it('3: context isolation is on', async () => {
    expect(await preferences()).toMatchObject({ contextIsolation: true });
  });

  it('4: every process is sandboxed', async () => {
    expect(await preferences()).toMatchObject({ sandbox: true });
    expect((await shell.ask('window')).isSandboxed).toBe(true);
    expect(shellSource()).not.toMatch(/no-sandbox/);
  });

  it.each(['media', 'geolocation', 'notifications', 'midi', 'fullscreen', 'openExternal', 'usb', 'serial', 'hid'])(
    '5: the permission %s is refused, even to the console',
    async (permission) => {
      const refused = { request: false, check: false, device: false };
      expect(await shell.ask('permission', permission, 'app://console/')).toEqual(refused);
    },
  );

  it('5: copying is granted to the console only', async () => {
    const copy = 'clipboard-sanitized-write';
    expect(await shell.ask('permission', copy, 'app://console/')).toMatchObject({ request: true, check: true });
    expect(await shell.ask('permission', copy, 'https://console/')).toMatchObject({ request: false, check: false });
    expect(await shell.ask('permission', copy, 'app://console.example/')).toMatchObject({
      request: false,
      check: false,
    });
  });

  it('6 and 8: web security is on, and insecure content is not let in', async () => {
    expect(await preferences()).toMatchObject({ webSecurity: true, allowRunningInsecureContent: false });
  });

  it('7: the policy of the page stops a planted script, a foreign address and a frame', async () => {
    const violations = await shell.page.evaluate(async () => {
      const seen: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective));
      const planted = document.createElement('script');
      planted.textContent = 'window.planted = true';
      const frame = document.createElement('iframe');
      frame.src = 'https://example.com/';
      document.body.append(planted, frame);
      await fetch('https://example.com/').catch(() => undefined);
      const isDone = () =>
        ['script-src-elem', 'frame-src', 'connect-src'].every((directive) => seen.includes(directive));
      while (!isDone()) await new Promise((resolve) => requestAnimationFrame(resolve));
      frame.remove();
      return [...seen.sort(), 'planted' in window];
    });
    expect(violations).toEqual(['connect-src', 'frame-src', 'script-src-elem', false]);
  });

  it('9, 10 and 11: no experimental features, no blink features, no webviews and so no pop-ups of theirs', async () => {
    const set = await preferences();
    expect(set).toMatchObject({ experimentalFeatures: false, webviewTag: false });
    expect(Object.keys(set)).not.toContain('enableBlinkFeatures');
    expect(`${shellSource()}${read('renderer/index.html')}`).not.toMatch(/allowpopups|<webview|enableBlinkFeatures/);
  });

  it('12: a webview is never attached', async () => {
    expect(await shell.ask('attachWebview')).toBe(true);
  });

  it('13: the page cannot be led away', async () => {
    const before = shell.page.url();
    await shell.page.evaluate(() => {
      window.location.href = 'https://example.com/';
    });
    await shell.page.evaluate(() => {
      window.location.href = 'https://console.example/';
    });
    await shell.page.getByLabel('PIN of Training').waitFor();
    expect(shell.page.url()).toBe(before);
  });

  it('14 and 15: no window opens; only help pages and the POS API go to the system’s browser', async () => {
    const posPage = `${new URL(shell.ready.posUrl).origin}/docs`;
    const allowed = ['https://support.mozilla.org/kb/x', posPage];
    const refused = [
      'https://example.com/',
      'http://support.mozilla.org/',
      'https://support.mozilla.org.example.com/',
      'https://user@support.mozilla.org/',
      'https://support.mozilla.org:8443/',
    ];
    const tried: { url: string; action: 'deny' }[] = [];
    for (const url of [...refused, ...allowed]) {
      tried.push({ url, action: 'deny' });
      await shell.page.evaluate((address) => void window.open(address), url);
      await expect.poll(() => shell.ask('triedWindows'), patience).toEqual(tried);
    }
    await shell.page.evaluate((address) => {
      const link = Object.assign(document.createElement('a'), { href: address, target: '_blank' });
      document.body.append(link);
      link.click();
      link.remove();
    }, posPage);
    await expect.poll(() => shell.ask('openedOutside'), patience).toEqual([...allowed, posPage]);
    expect(shell.page.context().pages()).toHaveLength(1);
  });

  it('16: the version of Electron is pinned, and a current one', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number.parseInt(devDependencies.electron ?? '0', 10)).toBeGreaterThanOrEqual(45);
  });

  it('17: only the main frame of the console is heard', async () => {
    await shell.page.reload();
    await shell.page.getByLabel('PIN of Training').waitFor();
    const nonsense = 'not a message of the console';
    await shell.ask('foreignMessage', SHELL_TEXT, 'https://example.com/', false, nonsense);
    await shell.ask('foreignMessage', SHELL_TEXT, 'app://console.example/', false, nonsense);
    await shell.ask('foreignMessage', SHELL_TEXT, 'app://console/', true, nonsense);
    await shell.ask('foreignMessage', SHELL_OPEN, 'https://example.com/', false, '');
    // Had one been heard, it would have ended the connection; the page's own nonsense does.
    const closes = () => shell.page.evaluate(() => Reflect.get(window, 'closes'));
    await shell.page.evaluate(() => {
      Reflect.set(window, 'closes', 0);
      const ended = () => Reflect.set(window, 'closes', Reflect.get(window, 'closes') + 1);
      Reflect.set(
        window,
        'say',
        Reflect.get(window, 'tillShell').connect(() => {}, ended),
      );
    });
    await shell.ask('foreignMessage', SHELL_TEXT, 'https://example.com/', false, nonsense);
    expect(await closes()).toBe(0);
    await shell.page.evaluate((text) => Reflect.get(window, 'say')(text), nonsense);
    await expect.poll(closes, patience).toBe(1);
    await shell.page.reload();
    await shell.page.getByLabel('PIN of Training').waitFor();
  });

  it('18: the page has a secure, standard scheme of its own, and no file of this machine is in its reach', async () => {
    expect(await shell.ask('schemes')).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    expect(shellSource()).not.toMatch(/file:\/\/|loadFile/);
    for (const path of [
      '/..%2f..%2fpackage.json',
      '/%2e%2e/main/index.js',
      '/..%5cmain%5cindex.js',
      '/%00.js',
      '/none.js',
      '/%.js',
    ])
      expect(await fetched(path), path).toBe('404');
    expect(await fetched('/downloads/guess')).toBe('404');
  });

  it('19: the fuses of the packed program are set', () => {
    const fuses = read('electron-builder.yml');
    for (const [fuse, value] of [
      ['runAsNode', false],
      ['enableNodeOptionsEnvironmentVariable', false],
      ['enableNodeCliInspectArguments', false],
      ['grantFileProtocolExtraPrivileges', false],
      ['onlyLoadAppFromAsar', true],
      ['enableEmbeddedAsarIntegrityValidation', true],
      ['enableCookieEncryption', true],
    ] as const)
      expect(fuses).toMatch(new RegExp(`^  ${fuse}: ${value}$`, 'm'));
  });

  it('20: the page sees one function of the shell, and nothing of Electron', async () => {
    const seen = await shell.page.evaluate(() => {
      const api: object = Reflect.get(window, 'tillShell');
      return { names: Object.keys(api), isFixed: Object.isFrozen(api), electron: 'ipcRenderer' in window };
    });
    expect(seen).toEqual({ names: ['connect'], isFixed: true, electron: false });
  });
});
