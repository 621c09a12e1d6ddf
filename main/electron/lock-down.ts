import { app, type Session, shell, type WebContents } from 'electron';
import { isConsoleUrl } from './console-address.ts';

/** Where the console's help links lead; they open in the system's browser. */
const helpHosts: ReadonlySet<string> = new Set([
  'support.google.com',
  'support.mozilla.org',
  'support.microsoft.com',
  'learn.microsoft.com',
  'developer.chrome.com',
  'developer.mozilla.org',
]);

/** Copying by a button of the console; everything else that a page may ask for is refused. */
const grantedToTheConsole: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** What the pages of a session may ask this machine for: next to nothing. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide, { requestingUrl }) =>
    decide(grantedToTheConsole.has(permission) && isConsoleUrl(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) => grantedToTheConsole.has(permission) && isConsoleUrl(requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  // The policy of the page forbids other addresses already; here they end even for a page that had lost its policy.
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isOfTheConsole(url) }));
  session.on('will-download', (event, item) => {
    if (!isOfTheConsole(item.getURL())) event.preventDefault();
  });
}

/** Every page, whoever makes it: it stays at the console's address, opens no window and holds no other page. */
export function lockContents(apiOrigin: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => lock(contents, apiOrigin));
}

function lock(contents: WebContents, apiOrigin: () => string | undefined): void {
  contents.on('will-navigate', (event) => {
    if (!isConsoleUrl(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isConsoleUrl(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url, apiOrigin())) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** The help of the browsers' makers, and the POS API's own page. */
function mayOpenOutside(url: string, apiOrigin: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin, username, password, port } = new URL(url);
  if (username !== '' || password !== '') return false;
  return (protocol === 'https:' && port === '' && helpHosts.has(hostname)) || origin === apiOrigin;
}

/** What the console shows is its own, or made by its own page. */
function isOfTheConsole(url: string): boolean {
  const inner = url.startsWith('blob:') ? url.slice('blob:'.length) : url;
  return isConsoleUrl(inner) || url.startsWith('data:image/') || url.startsWith('devtools:');
}
