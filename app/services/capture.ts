import { BridgeError } from '../contract/errors.ts';
import type { Engine } from './engine.ts';

/**
 * The tip capture of a sale that was authorized without it (decisions: Day close). Sales that a terminal authorizes with its own acquirer are
 * captured at once with their tip, so none of them waits for one.
 * @throws BridgeError NOT_FOUND, ILLEGAL_STATE
 */
export function refuseCapture(engine: Engine, transactionId: string): never {
  if (engine.deps.journal.findTransaction(transactionId) === undefined) {
    throw new BridgeError('NOT_FOUND', 'there is no transaction with this id');
  }
  throw new BridgeError('ILLEGAL_STATE', 'this transaction does not wait for a tip capture', {
    details: { transactionId },
  });
}
