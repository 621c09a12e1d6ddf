import { BridgeError } from '../../app/contract/errors.ts';

/**
 * What is not there, or is another merchant's: the two answer alike (decisions: Wrong credentials).
 * @param field of the call that names it, where that is not the path
 */
export function notFound(what: string, field?: string): BridgeError {
  return new BridgeError('NOT_FOUND', `there is no such ${what}`, field === undefined ? {} : { field });
}
