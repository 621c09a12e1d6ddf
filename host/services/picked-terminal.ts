import { BridgeError } from '../../app/contract/errors.ts';
import type { TerminalRecord } from '../ports/host-records.ts';
import type { HostReader } from '../ports/host-store.ts';
import { notFound } from './not-found.ts';

/**
 * The terminal that a merchant's call is about: the one that X-Terminal-Id names, or the only one (decisions: Day close, Several terminals).
 * @throws BridgeError NOT_FOUND; INVALID_REQUEST naming X-Terminal-Id, which several terminals need
 */
export async function pickTerminal(
  read: HostReader,
  merchantId: string,
  terminalId: string | undefined,
): Promise<TerminalRecord> {
  if (terminalId !== undefined) {
    const found = await read.findTerminal({ merchantId, terminalId });
    if (found === undefined) throw notFound('terminal', 'X-Terminal-Id');
    return found;
  }
  const [only, ...others] = await read.listTerminals(merchantId);
  if (only === undefined) throw notFound('terminal');
  if (others.length === 0) return only;
  throw new BridgeError('INVALID_REQUEST', 'X-Terminal-Id is required: the merchant has several terminals', {
    field: 'X-Terminal-Id',
  });
}
