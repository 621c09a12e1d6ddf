import type { TerminalInfo } from '../contract/recovery.ts';
import type { Till } from './till.ts';

/** A terminal as callers read it. */
export function terminalInfoOf(terminal: ReturnType<Till['terminals']>[number]): TerminalInfo {
  const { operations, cashback, maxAmountMinor, inputTypes, abort = true } = terminal.capabilities;
  return {
    terminalId: terminal.terminalId,
    protocol: terminal.protocol,
    currency: terminal.currency,
    capabilities: { operations: [...operations], cashback, maxAmountMinor, inputTypes: [...inputTypes], abort },
  };
}
