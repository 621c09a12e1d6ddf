import { BridgeError } from '../../app/contract/errors.ts';
import { SESSION_TICKET_TTL_SECONDS } from '../../app/contract/limits.ts';
import { isoOf } from '../../app/domain/instant.ts';
import { credentialHash } from './credentials.ts';
import type { HostAdmission, PosTickets } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { MAX_WAITING_TICKETS } from './host-limits.ts';

/** 256 bits. */
const TICKET_BYTES = 32;

/** Tickets stand in the store, as hashes: whichever process is asked, one of all that use a ticket gets it, once. */
export function createPosTickets(
  {
    store,
    ids,
  }: Pick<HostDeps, 'ids'> & { readonly store: Pick<HostDeps['store'], 'addSessionTicket' | 'takeSessionTicket'> },
  { posClientOfHash }: Pick<HostAdmission, 'posClientOfHash'>,
): PosTickets {
  return {
    async issueTicket({ caller, keyHash }) {
      const { merchantId, clientId } = caller;
      const ticket = Buffer.from(ids.randomBytes(TICKET_BYTES)).toString('base64url');
      const expiresAtMs = await store.addSessionTicket(
        { ticketHash: credentialHash(ticket), merchantId, clientId, keyHash },
        { lifeMs: SESSION_TICKET_TTL_SECONDS * 1_000, maxWaiting: MAX_WAITING_TICKETS },
      );
      if (expiresAtMs === undefined) {
        const details = { retryAfterSeconds: SESSION_TICKET_TTL_SECONDS };
        throw new BridgeError('RATE_LIMITED', 'too many unused tickets', { details });
      }
      return { ticket, expiresAt: isoOf(expiresAtMs) };
    },
    async redeemTicket(ticket) {
      const keyHash = await store.takeSessionTicket(credentialHash(ticket));
      const caller = keyHash === undefined ? undefined : await posClientOfHash(keyHash);
      return keyHash === undefined || caller === undefined ? undefined : { caller, keyHash };
    },
  };
}
