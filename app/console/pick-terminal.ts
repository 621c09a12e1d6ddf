import { BridgeError } from '../contract/errors.ts';
import type { Till } from '../services/till.ts';

/** The named terminal, or the only one. @throws BridgeError NOT_FOUND, INVALID_REQUEST when there are several and none is named */
export function pickTerminal(till: Till, terminalId: string | undefined): ReturnType<Till['terminals']>[number] {
  const terminals = till.terminals();
  if (terminalId === undefined && terminals.length > 1) {
    throw new BridgeError('INVALID_REQUEST', 'terminalId is required: this till has several terminals', {
      field: 'terminalId',
    });
  }
  const picked = terminals.find((terminal) => terminalId === undefined || terminal.terminalId === terminalId);
  if (picked === undefined) {
    throw new BridgeError('NOT_FOUND', 'there is no terminal with this id', { field: 'terminalId' });
  }
  return picked;
}
