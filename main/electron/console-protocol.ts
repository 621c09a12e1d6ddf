import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { type Protocol, protocol } from 'electron';
import { CONSOLE_DOWNLOADS_PATH } from '../../app/contract/console/channel.ts';
import { dispositionOf } from '../../app/contract/console/disposition.ts';
import type { ShellScreen } from '../../app/create-bridge.ts';
import { CONSOLE_SCHEME, isConsoleUrl } from './console-address.ts';

/** As in the browser, but for the connection: in the shell there is none, the page speaks by IPC. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** Before Electron is ready: pages under the scheme are a secure origin with storage and fetch of their own. */
export function registerConsoleScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: CONSOLE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built screen and the files that procedures made ready, and nothing else of this machine. */
export function serveConsole(on: Protocol, filesDir: string, screen: Pick<ShellScreen, 'takeDownload'>): void {
  const root = realpathSync(filesDir);
  on.handle(CONSOLE_SCHEME, async (request) => {
    if (!isConsoleUrl(request.url)) return refused(404);
    if (request.method !== 'GET') return refused(405);
    const { pathname } = new URL(request.url);
    return pathname.startsWith(`${CONSOLE_DOWNLOADS_PATH}/`)
      ? download(screen, pathname.slice(CONSOLE_DOWNLOADS_PATH.length + 1))
      : file(root, pathname);
  });
}

async function file(root: string, pathname: string): Promise<Response> {
  const path = pathOf(root, pathname);
  if (path === undefined) return refused(404);
  try {
    const body = await readFile(path);
    return new Response(body, {
      headers: { ...headers, 'content-type': contentTypes[extname(path)] ?? 'application/octet-stream' },
    });
  } catch {
    return refused(404);
  }
}

/**
 * The file of the screen that a path names; the pages of the console have addresses of their own, which all give index.html. Undefined for what
 * lies outside of the folder, by whatever way it was written.
 */
function pathOf(root: string, pathname: string): string | undefined {
  const decoded = unescaped(pathname);
  if (decoded === undefined || /[\0\\]|\.\./.test(decoded)) return undefined;
  if (extname(decoded) === '') return join(root, 'index.html');
  try {
    const path = realpathSync(join(root, decoded));
    return path.startsWith(root + sep) ? path : undefined;
  } catch {
    return undefined;
  }
}

function unescaped(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

function download(screen: Pick<ShellScreen, 'takeDownload'>, token: string): Response {
  const found = screen.takeDownload(token);
  if (found === undefined) return refused(404);
  // Ends what makes the file when the download is given up.
  const gone = new AbortController();
  const content = Readable.from(found.open(gone.signal)).once('close', () => gone.abort());
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    headers: {
      ...headers,
      'content-type': found.contentType,
      'content-disposition': dispositionOf(found.fileName),
    },
  });
}

function refused(status: 404 | 405): Response {
  return new Response('', { status, headers });
}
