/** Why a text is no address of a host. NOT_SECURE: http to another machine, where card data would travel in the open. */
type HostUrlProblem = 'SCHEME' | 'NOT_SECURE' | 'HOST' | 'EXTRA';

export type HostUrlReading = { readonly url: string } | { readonly problem: HostUrlProblem };

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:[0-9]{1,5})?$/;
const ownMachine = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:|$)/;

/**
 * The address of a host without a slash at its end: https, or http on this machine; a path may follow, nothing else. `https://pay.example/` →
 * `https://pay.example`.
 */
export function readHostUrl(text: string): HostUrlReading {
  const [, scheme, authority = '', path = ''] = /^(https?):\/\/([^/?#]*)([^?#]*)$/.exec(text.trim()) ?? [];
  if (scheme === undefined) return { problem: /^https?:/.test(text.trim()) ? 'EXTRA' : 'SCHEME' };
  const host = authority.toLowerCase();
  if (!hostPattern.test(host)) return { problem: 'HOST' };
  if (scheme === 'http' && !ownMachine.test(host)) return { problem: 'NOT_SECURE' };
  return { url: `${scheme}://${host}${path.replace(/\/+$/, '')}` };
}

const problems: Readonly<Record<HostUrlProblem, string>> = {
  SCHEME: 'must begin with https:// (or http:// on this machine)',
  NOT_SECURE: 'must begin with https:// unless the host runs on this machine',
  HOST: 'has no host name that can be read',
  EXTRA: 'must be scheme, host, port and path, and nothing else',
};

/** @throws RangeError in plain words; the text itself is not repeated */
export function hostUrlOf(text: string): string {
  const reading = readHostUrl(text);
  if ('url' in reading) return reading.url;
  throw new RangeError(problems[reading.problem]);
}
