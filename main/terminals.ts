import type { StoredTerminal } from '../app/contract/settings.ts';
import type { BridgeTerminal } from '../app/create-bridge.ts';
import type { Clock } from '../app/ports/clock.ts';
import type { Log } from '../app/ports/log.ts';
import type { Terminal } from '../app/ports/terminal.ts';
import type { VirtualTerminalControl } from '../app/ports/virtual-terminal.ts';
import type { WireRecorder } from '../app/ports/wire-traces.ts';
import { createTerminal, parseTerminalUrl } from '../drivers/registry.ts';
import { createVirtualControl } from './virtual-control.ts';

/** A virtual terminal says in its software version where its control interface listens. */
const controlPortPattern = /\bCTL (\d{1,5})\b/;

/** Makes a terminal of the settings; nothing is connected yet. @throws BridgeError INVALID_REQUEST naming the wrong part of a URL */
export async function createBridgeTerminal(
  { terminalId, url }: StoredTerminal,
  clock: Clock,
  log: Log,
  wire: WireRecorder,
): Promise<BridgeTerminal> {
  const address = parseTerminalUrl(url);
  const terminal = await createTerminal(address, { terminalId, clock, log, wire });
  const host = address.line.kind === 'TCP' ? address.line.host : '127.0.0.1';
  return { terminal, currency: address.currency, training: () => controlByVersion(terminal, host) };
}

function controlByVersion(terminal: Terminal, host: string): VirtualTerminalControl | undefined {
  const port = controlPortPattern.exec(terminal.status().firmwareVersion ?? '')?.[1];
  // Only a program on this machine is armed: its control interface listens on loopback.
  return port !== undefined && ['127.0.0.1', 'localhost', '::1'].includes(host)
    ? createVirtualControl(`http://127.0.0.1:${port}`)
    : undefined;
}

/** Resolves when the first attempt to reach the terminal has come to an end, well or badly, or after `waitMs`. */
export async function firstAttempt(terminal: Terminal, clock: Clock, waitMs: number): Promise<void> {
  const isOver = () => !['DISCONNECTED', 'CONNECTING'].includes(terminal.status().state);
  if (isOver()) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      unsubscribe();
      cancel();
      resolve();
    };
    const unsubscribe = terminal.subscribe(() => {
      // The first notice may only say that it is trying.
      if (terminal.status().state !== 'CONNECTING') end();
    });
    const cancel = clock.after(waitMs, end);
  });
}
