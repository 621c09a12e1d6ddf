import type { Secret } from '../domain/secret.ts';
import type { AccountData } from './terminal.ts';

/**
 * The account of a card as its reader has encrypted it, which the till cannot read: the one thing of a card that may rest, from a sale without its
 * issuer to the issuer's answer (decisions section 7). No clear account, no track, no PIN has this type.
 */
export type KeptAccount = Secret<Extract<AccountData, { kind: 'ENCRYPTED' }>>;
