import { type CaisseApAddress, parseCaisseApUrl } from './urls/caisse-ap-url.ts';
import { type Ecr17Address, parseEcr17Url } from './urls/ecr17-url.ts';
import { type Neo2Address, parseNeo2Url } from './urls/neo2-url.ts';
import { refuse } from './urls/url-parts.ts';
import { parseZvtUrl, type ZvtAddress } from './urls/zvt-url.ts';

/** Where a terminal is and how it is spoken to: a terminal URL, read. */
export type TerminalAddress = ZvtAddress | Neo2Address | Ecr17Address | CaisseApAddress;

const parsers: { readonly [scheme: string]: (text: string) => TerminalAddress } = {
  'zvt+tcp': parseZvtUrl,
  'zvt+serial': parseZvtUrl,
  'neo2+hid': parseNeo2Url,
  'neo2+serial': parseNeo2Url,
  'ecr17+tcp': parseEcr17Url,
  'ecr17+serial': parseEcr17Url,
  'caisse-ap+tcp': parseCaisseApUrl,
};

/**
 * Reads a terminal URL; the protocol's own file says which parts it has.
 * @throws BridgeError INVALID_REQUEST naming the wrong part; a password is never in the message
 */
export function parseTerminalUrl(text: string): TerminalAddress {
  const schemes = Object.keys(parsers);
  const separator = text.indexOf('://');
  if (separator < 1) refuse('it', `must begin with ${schemes.map((scheme) => `${scheme}://`).join(', ')}`);
  const scheme = text.slice(0, separator);
  const parse = Object.hasOwn(parsers, scheme) ? parsers[scheme] : undefined;
  if (parse === undefined) refuse(`"${scheme}"`, `is not a known kind of terminal (${schemes.join(', ')})`);
  return parse(text);
}
