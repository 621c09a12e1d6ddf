import { BridgeError } from '../app/contract/errors.ts';
import { hostUrlOf } from '../app/domain/host-url.ts';
import { Secret } from '../app/domain/secret.ts';
import type { HostAccess } from '../app/ports/host-client.ts';

/** Where the device token of --host comes from; an argument could be read by every user of the machine. */
const tokenVariable = 'TILL_DEVICE_TOKEN';

/** The host of the command line. @throws BridgeError INVALID_REQUEST naming what is wrong; the token is never in the message */
export function hostAccessOf(url: string, environment: NodeJS.ProcessEnv): HostAccess {
  const token = environment[tokenVariable];
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) {
    throw new BridgeError('INVALID_REQUEST', `--host needs the device token of this terminal in ${tokenVariable}`, {
      field: tokenVariable,
    });
  }
  try {
    return { url: hostUrlOf(url), deviceToken: new Secret(token) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'cannot be read';
    throw new BridgeError('INVALID_REQUEST', `--host ${why}`, { field: '--host' });
  }
}
