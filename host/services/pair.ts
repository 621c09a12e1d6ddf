import { BridgeError } from '../../app/contract/errors.ts';
import { credentialHash, newCredential, pairingCodeHash, selectorOf } from './credentials.ts';
import type { Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';

/** Seconds after which a new code may be asked for. */
const lockedRetryAfterSeconds = 60;

/** Exchanges a pairing code for the device token of its terminal (decisions: Provisioning). */
export function createPair({ store, clock, ids, hmac }: HostDeps): Pick<Host, 'pair'> {
  return {
    async pair({ pairingCode, expected = {} }) {
      const deviceToken = newCredential(ids, 'DEVICE');
      const codeHash = pairingCodeHash(pairingCode, hmac);
      const proof = { selector: selectorOf(pairingCode), codeHash, expected };
      const result = await store.transact((unit) => unit.tryPairing(proof, credentialHash(deviceToken), clock.nowMs()));
      if (result.kind === 'INVALID') throw new BridgeError('PAIRING_CODE_INVALID', 'the pairing code is not valid');
      if (result.kind === 'LOCKED') {
        throw new BridgeError('PAIRING_LOCKED', 'this pairing code was guessed wrong too often', {
          details: { retryAfterSeconds: lockedRetryAfterSeconds },
        });
      }
      if (result.kind === 'UNEXPECTED') {
        throw new BridgeError('ILLEGAL_STATE', 'the pairing code is of another terminal than is expected', {
          field: result.field,
        });
      }
      const { merchantId, terminalId, name: terminalName, deviceId, currency } = result.terminal;
      const { merchantName } = result;
      return { merchantId, merchantName, terminalId, terminalName, deviceId, deviceToken, currencyCode: currency };
    },
  };
}
