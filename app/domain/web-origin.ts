/**
 * Why a text is no origin that can be allowed. WILDCARD: one entry is one page's origin. SCHEME: neither https nor http. NOT_SECURE: http from another
 * machine, which browsers keep from the till (they ask for the permission on secure pages only). PATH: more than scheme, host and port. HOST: no host
 * name as browsers send it.
 */
export type OriginProblem = 'WILDCARD' | 'SCHEME' | 'NOT_SECURE' | 'PATH' | 'HOST';

export type OriginReading = { readonly origin: string } | { readonly problem: OriginProblem };

const label = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
const hostPattern = new RegExp(`^(${label}(\\.${label})*|\\[[0-9a-f:.]+\\])$`);
const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]']);
const defaultPorts: Readonly<Record<string, string>> = { https: '443', http: '80' };
const maxPort = 65_535;

/**
 * The origin as a browser sends it (RFC 6454): lower case, without the scheme's own port and without the slash that people copy along.
 * `https://POS.example:443/` → `https://pos.example`.
 */
export function readOrigin(text: string): OriginReading {
  const given = text.trim().toLowerCase();
  if (given.includes('*')) return { problem: 'WILDCARD' };
  const scheme = /^(https?):\/\//.exec(given)?.[1];
  if (scheme === undefined) return { problem: 'SCHEME' };
  const rest = given.slice(`${scheme}://`.length).replace(/\/$/, '');
  if (/[/?#]/.test(rest)) return { problem: 'PATH' };
  const parts = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?$/.exec(rest);
  const host = parts?.[1] ?? '';
  const port = parts?.[2];
  if (!hostPattern.test(host) || Number(port ?? 1) > maxPort || Number(port ?? 1) === 0) return { problem: 'HOST' };
  if (scheme === 'http' && !ownMachine.has(host)) return { problem: 'NOT_SECURE' };
  const shownPort = port === undefined || port === defaultPorts[scheme] ? '' : `:${Number(port)}`;
  return { origin: `${scheme}://${host}${shownPort}` };
}
