import { parseArgs } from 'node:util';

/** What the command line of the till says; absent options leave the stored settings in force. */
export interface Options {
  readonly headless: boolean;
  readonly kiosk: boolean;
  readonly dataDir?: string;
  readonly port?: number;
  readonly consolePort?: number;
  readonly training: boolean;
  readonly terminal?: string;
  readonly host?: string;
  readonly listPorts: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm start -- [options]

  --headless            no window: the POS API, and the console for a browser
  --kiosk               the window fills the screen and cannot be left
  --data-dir DIR        where journal, settings and logs live
  --port N              port of the POS API (default 8443)
  --console-port N      port of the operator console (default: a free one)
  --training            no real money; starts a virtual terminal unless --terminal names one
                        (the default until a terminal is configured)
  --terminal URL        zvt+tcp://HOST:PORT?password=000000&currency=EUR
                        zvt+serial:///dev/ttyX?baudRate=9600
                        neo2+hid://VID:PID[/SERIAL]?currency=EUR&encryption=required|as-told
                        neo2+serial:///dev/ttyX?baudRate=115200
  --host URL            the host that authorizes for a card reader, and is told what a terminal with
                        an acquirer of its own did; its device token comes from TILL_DEVICE_TOKEN
  --list-ports          names this machine's serial ports and USB card readers, and ends
                        (npm run detect asks them what they speak)
  --help                this text

Options win over stored settings for this run.`;

/** A command line that cannot be understood; the message says which option and why. */
export class UsageError extends Error {}

/** @throws UsageError naming the option */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  return {
    headless: values.headless ?? false,
    kiosk: values.kiosk ?? false,
    training: values.training ?? false,
    listPorts: values['list-ports'] ?? false,
    help: values.help ?? false,
    ...(values['data-dir'] === undefined ? {} : { dataDir: values['data-dir'] }),
    ...(values.port === undefined ? {} : { port: portOf('--port', values.port) }),
    ...(values['console-port'] === undefined ? {} : { consolePort: portOf('--console-port', values['console-port']) }),
    ...(values.terminal === undefined ? {} : { terminal: values.terminal }),
    ...(values.host === undefined ? {} : { host: values.host }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      options: {
        headless: { type: 'boolean' },
        kiosk: { type: 'boolean' },
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        'console-port': { type: 'string' },
        training: { type: 'boolean' },
        terminal: { type: 'string' },
        host: { type: 'string' },
        'list-ports': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`${option} must be a port number from 0 to 65535`);
  return port;
}
