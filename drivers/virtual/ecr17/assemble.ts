// Puts a virtual ECR17 terminal together: book, machine, wire.
import {
  type AssembledTerminal,
  type AssemblyDeps,
  openLink,
  openPaymentBook,
  paymentSettings,
  softwareVersion,
} from '../assembly.ts';
import { TEST_CARDS } from '../cards.ts';
import { createMachineTerminal } from '../machine-terminal.ts';
import { viewOfPaymentTerminal } from '../machine-view.ts';
import { ECR17_FAULTS, ECR17_RULES } from '../rules.ts';
import { step } from './machine.ts';
import { type Ecr17Machine, initialState, type TerminalSettings } from './state.ts';
import { createWire, type Wire } from './wire.ts';

export function assembleEcr17Terminal(deps: AssemblyDeps): AssembledTerminal {
  const { options, clock, onFatal } = deps;
  const { book, ledger, readBook, closeBook } = openPaymentBook(deps, 'ecr17');
  const { link, tcpPort } = openLink(deps);
  const settings: TerminalSettings = {
    ...paymentSettings(deps),
    softwareVersion: softwareVersion(deps),
    lrc: options.lrc,
    ackTimeoutMs: options.ackTimeoutMs,
    closesBetween: options.closesBetween,
  };
  const wireSettings = { lrc: options.lrc, dropsAfterHalf: options.listen.kind === 'TCP' };
  const terminal = createMachineTerminal<Ecr17Machine, Wire>({
    settings,
    book,
    ledger,
    clock,
    link,
    initialState: initialState(settings),
    step,
    viewOf: viewOfPaymentTerminal,
    createWire: (take) => createWire(link, wireSettings, take),
    perform,
    dayClose: { type: 'auto-close' },
    onFatal,
  });
  return {
    terminal,
    cards: TEST_CARDS,
    script: { rules: ECR17_RULES, faults: ECR17_FAULTS, playsIssuer: true },
    readBook,
    closeBook,
    tcpPort,
  };
}

function perform(output: Ecr17Machine['output'], wire: Wire): void {
  switch (output.type) {
    case 'send':
      wire.send(output.text, output.damage);
      return;
    case 'progress':
      wire.progress(output.text);
      return;
    case 'acknowledge':
      wire.acknowledge();
      return;
    case 'refuse':
      wire.refuse();
      return;
  }
}
