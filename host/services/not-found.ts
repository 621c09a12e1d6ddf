import { BridgeError } from '../../app/contract/errors.ts';

/** What is not there, or is another merchant's: the two answer alike (decisions: Wrong credentials). */
export function notFound(what: string): BridgeError {
  return new BridgeError('NOT_FOUND', `there is no such ${what}`);
}
