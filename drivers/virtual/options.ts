import { parseArgs } from 'node:util';
import type { Lrc } from '../framing/ecr17-framing.ts';
import type { Language } from './texts.ts';

/** Protocols that a virtual terminal can speak. */
const PROTOCOLS = ['zvt', 'neo2', 'ecr17', 'caisse-ap'] as const;
export type VirtualProtocol = (typeof PROTOCOLS)[number];

/** What the command line asks for. */
export interface TerminalOptions {
  readonly protocol: VirtualProtocol;
  /** TCP port (0 = any), or the path of a link to a pty */
  readonly listen:
    | { readonly kind: 'TCP'; readonly port: number }
    | { readonly kind: 'PTY'; readonly linkPath: string };
  readonly controlPort: number;
  /** absent: a file in the home folder */
  readonly bookPath?: string;
  readonly isManual: boolean;
  readonly thinkMs: number;
  readonly ackTimeoutMs: number;
  readonly currency: string;
  /** eight digits */
  readonly terminalId: string;
  readonly leaseSeconds?: number;
  readonly language: Language;
  /** NEO 2: cipher of account data and kind of PIN key */
  readonly encryption: 'TDES' | 'AES';
  /** ECR17: which bytes a checksum covers */
  readonly lrc: Lrc;
  /** ECR17: the connection ends after each procedure */
  readonly closesBetween: boolean;
}

/** A command line that cannot be followed, in a sentence. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** A reader has none. */
const DEFAULT_TCP_PORTS = { zvt: 20_007, neo2: 0, ecr17: 10_000, 'caisse-ap': 8888 } as const satisfies Record<
  VirtualProtocol,
  number
>;
const LRCS: Readonly<Record<string, Lrc>> = { std: 'STD', stx: 'STX', noext: 'NOEXT', 'stx-noext': 'STX_NOEXT' };
const DEFAULT_THINK_MS = 800;
const DEFAULT_ACK_TIMEOUT_MS = 5000;
const DEFAULT_TERMINAL_ID = '29000001';
const MAX_PORT = 65_535;
const MAX_MS = 600_000;
const MAX_LEASE_SECONDS = 86_400;

export const USAGE = `Usage: npm run virtual-terminal -- [options]
  --protocol NAME      what it speaks: a terminal with zvt (default), ecr17 or caisse-ap, or an ID TECH reader with neo2
  --tcp PORT           listen for a till on 127.0.0.1:PORT (default by protocol, zvt ${DEFAULT_TCP_PORTS.zvt}; 0 picks a port); not neo2
  --pty LINK           make a pty with a link LINK to it instead (needs socat); not caisse-ap
  --control-port PORT  control interface on 127.0.0.1 (default: picks a port)
  --book FILE          where the terminal's own book is kept
  --manual             wait for cards and keys from the control interface
  --think-ms MS        how long a simulated customer takes (default ${DEFAULT_THINK_MS})
  --ack-timeout-ms MS  how long the till has for each answer (default ${DEFAULT_ACK_TIMEOUT_MS}); zvt and ecr17 only
  --currency CODE      ISO 4217 letters (default EUR)
  --terminal-id N      up to eight digits (default ${DEFAULT_TERMINAL_ID})
  --lease-seconds N    end after N seconds without POST /lease
  --language en|de     words on display and receipts (default en)
  --encryption tdes|aes  card data and PIN blocks of a reader (default tdes); neo2 only
  --lrc VARIANT        what a checksum covers: std (default), stx, noext or stx-noext; ecr17 only
  --close-between      end the connection after each procedure; ecr17 only`;

/** Reads the command line. @throws OptionError */
export function parseOptions(args: readonly string[]): TerminalOptions {
  const values = readArguments(args);
  if (values.tcp !== undefined && values.pty !== undefined) throw new OptionError('Give --tcp or --pty, not both.');
  const { language = 'en', book, currency = 'EUR', encryption = 'tdes' } = values;
  const protocol = PROTOCOLS.find((name) => name === (values.protocol ?? 'zvt'));
  if (protocol === undefined) throw new OptionError(`--protocol is ${PROTOCOLS.join(' or ')}, not ${values.protocol}.`);
  if (protocol === 'neo2' && values.pty === undefined)
    throw new OptionError('A reader is on a serial line: --protocol neo2 needs --pty LINK.');
  if (protocol === 'caisse-ap' && values.pty !== undefined)
    throw new OptionError('A Caisse-AP terminal is on a network: it takes --tcp, not --pty.');
  if (encryption !== 'tdes' && encryption !== 'aes')
    throw new OptionError(`--encryption is tdes or aes, not ${encryption}.`);
  const lrc = LRCS[values.lrc ?? 'std'];
  if (lrc === undefined) throw new OptionError(`--lrc is ${Object.keys(LRCS).join(', ')}, not ${values.lrc}.`);
  if (language !== 'en' && language !== 'de') throw new OptionError(`--language is en or de, not ${language}.`);
  return {
    protocol,
    listen:
      values.pty === undefined
        ? { kind: 'TCP', port: readNumber('tcp', values.tcp, DEFAULT_TCP_PORTS[protocol], MAX_PORT) }
        : { kind: 'PTY', linkPath: values.pty },
    controlPort: readNumber('control-port', values['control-port'], 0, MAX_PORT),
    ...(book === undefined ? {} : { bookPath: book }),
    isManual: values.manual === true,
    thinkMs: readNumber('think-ms', values['think-ms'], DEFAULT_THINK_MS, MAX_MS),
    ackTimeoutMs: readNumber('ack-timeout-ms', values['ack-timeout-ms'], DEFAULT_ACK_TIMEOUT_MS, MAX_MS),
    currency: currency.toUpperCase(),
    terminalId: readTerminalId(values['terminal-id'] ?? DEFAULT_TERMINAL_ID),
    ...(values['lease-seconds'] === undefined
      ? {}
      : { leaseSeconds: readNumber('lease-seconds', values['lease-seconds'], 0, MAX_LEASE_SECONDS) }),
    language,
    encryption: encryption === 'aes' ? 'AES' : 'TDES',
    lrc,
    closesBetween: values['close-between'] === true,
  };
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        protocol: text,
        tcp: text,
        pty: text,
        'control-port': text,
        book: text,
        manual: { type: 'boolean' },
        'think-ms': text,
        'ack-timeout-ms': text,
        currency: text,
        'terminal-id': text,
        'lease-seconds': text,
        language: text,
        encryption: text,
        lrc: text,
        'close-between': { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
}

function readNumber(name: string, text: string | undefined, byDefault: number, max: number): number {
  if (text === undefined) return byDefault;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) > max)
    throw new OptionError(`--${name} is a number from 0 to ${max}, not ${text}.`);
  return Number(text);
}

function readTerminalId(text: string): string {
  if (!/^[0-9]{1,8}$/.test(text)) throw new OptionError(`--terminal-id has up to eight digits, not ${text}.`);
  return text.padStart(8, '0');
}
