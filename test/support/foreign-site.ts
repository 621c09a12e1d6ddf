import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of somebody else on another port of this machine, whose pages call a till. */
export interface ForeignSite {
  readonly port: number;
  /** The same site under two names, which are two sites to a browser. */
  readonly origin: string;
  readonly otherOrigin: string;
  /** Address of a page that calls the till when it is opened, and writes what came of it. */
  webPos(origin: string, tillUrl: string, key?: string): string;
  /** Address of a page that shows another one in a frame. */
  framing(origin: string, inner: string, allow: string): string;
  close(): void;
}

/** What the web POS writes: the status of the answer, or that the browser held the call back. */
const webPosPage = `<!doctype html><html lang="en"><title>Web POS</title><p id="state">calling</p><script>
const { till, key } = Object.fromEntries(new URLSearchParams(location.search));
fetch(till + '/v1/meta', { headers: { 'X-Api-Key': key } })
  .then(({ status }) => 'answered ' + status, () => 'held back')
  .then((state) => { document.querySelector('#state').textContent = state; });
</script></html>`;

export async function startForeignSite(): Promise<ForeignSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pathname === '/frame' ? framePage(searchParams) : webPosPage);
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    webPos: (origin, till, key = '') => `${origin}/?${new URLSearchParams({ till, key })}`,
    framing: (origin, inner, allow) => `${origin}/frame?${new URLSearchParams({ inner, allow })}`,
    close: () => server.close(),
  };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function framePage(parameters: URLSearchParams): string {
  const [inner = '', allow = ''] = ['inner', 'allow'].map((name) =>
    (parameters.get(name) ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  );
  const attribute = allow === '' ? '' : ` allow="${allow}"`;
  return `<!doctype html><html lang="en"><title>Around it</title><iframe title="Web POS" src="${inner}"${attribute}></iframe></html>`;
}
