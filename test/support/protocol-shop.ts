import { join } from 'node:path';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';
import { createPos, type Pos } from './pos.ts';
import {
  endProgram,
  type Program,
  startTill,
  startVirtualTerminal,
  type TillReady,
  type VirtualTerminalReady,
} from './processes.ts';

/** A terminal of one protocol on one kind of line. */
export interface ProtocolLine {
  readonly name: string;
  readonly protocol: 'ECR17' | 'CAISSE_AP';
  /** Of the virtual terminal. @param link where a pty's link may lie */
  terminalArgs(link: string): readonly string[];
  /** How the till reaches it. */
  urlOf(ready: VirtualTerminalReady): string;
}

export const ecr17Tcp: ProtocolLine = {
  name: 'ECR17 over TCP',
  protocol: 'ECR17',
  terminalArgs: () => ['--protocol', 'ecr17', '--tcp', '0', '--lrc', 'noext', '--close-between'],
  urlOf: ({ tcp }) => `ecr17+tcp://127.0.0.1:${tcp}?lrc=noext&currency=EUR`,
};

export const ecr17Serial: ProtocolLine = {
  name: 'ECR17 on a serial line',
  protocol: 'ECR17',
  terminalArgs: (link) => ['--protocol', 'ecr17', '--pty', link],
  urlOf: ({ pty }) => `ecr17+serial://${pty}?baudRate=9600&lrc=std&currency=EUR`,
};

export const caisseApTcp: ProtocolLine = {
  name: 'Caisse-AP over TCP',
  protocol: 'CAISSE_AP',
  terminalArgs: () => ['--protocol', 'caisse-ap', '--tcp', '0'],
  urlOf: ({ tcp }) => `caisse-ap+tcp://127.0.0.1:${tcp}?currency=EUR&till=01`,
};

/** A training till and its terminal, as programs; the terminal's book is the judge. */
export interface ProtocolShop {
  readonly till: Program<TillReady>;
  readonly pos: Pos;
  readonly control: ControlClient;
  close(): Promise<void>;
}

/** @param folder of its own */
export async function openProtocolShop(line: ProtocolLine, folder: string): Promise<ProtocolShop> {
  const terminal = await startVirtualTerminal([
    ...line.terminalArgs(join(folder, 'tty')),
    ...['--think-ms', '0', '--book', join(folder, 'book.jsonl')],
  ]);
  const url = line.urlOf(terminal.ready);
  const till = await startTill(['--data-dir', join(folder, 'till'), '--training', '--terminal', url]).catch(
    async (error: unknown) => {
      await endProgram(terminal);
      throw error;
    },
  );
  return {
    till,
    pos: createPos(till.ready.posUrl, till.ready.posKey ?? ''),
    control: controlClient(terminal.ready.controlUrl),
    async close() {
      await endProgram(till);
      await endProgram(terminal);
    },
  };
}
