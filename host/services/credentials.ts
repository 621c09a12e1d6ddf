import { createHash } from 'node:crypto';
import { PAIRING_CODE_CHARACTERS } from '../../app/contract/host/host-limits.ts';
import type { Ids } from '../../app/ports/ids.ts';

/** How each kind of credential begins, so that people and scanners know what they have found. */
const credentialPrefixes = { DEVICE: 'dt_', SECRET: 'sk_', PUBLISHABLE: 'pk_', POS: 'pos_' } as const;
export type CredentialKind = keyof typeof credentialPrefixes;

/** 256 bits. */
const credentialBytes = 32;
const credentialPattern = /^(dt|sk|pk|pos)_[A-Za-z0-9_-]{43}$/;

/** A credential that nobody has yet; it is shown once, and only its hash is kept. */
export function newCredential(ids: Ids, kind: CredentialKind): string {
  return credentialPrefixes[kind] + Buffer.from(ids.randomBytes(credentialBytes)).toString('base64url');
}

/** What kind a text claims to be; undefined for what is none of ours. */
export function kindOf(credential: string): CredentialKind | undefined {
  const prefix = credentialPattern.exec(credential)?.[1];
  return prefix === undefined
    ? undefined
    : ({ dt: 'DEVICE', sk: 'SECRET', pk: 'PUBLISHABLE', pos: 'POS' } as const)[prefix as 'dt'];
}

/** SHA-256, hex: enough for 256 random bits, and the same in every process, whatever its secret. */
export function credentialHash(credential: string): string {
  return createHash('sha256').update(credential, 'utf8').digest('hex');
}

/** Without 0 O 1 I, which people read for each other; 32 of them, so that a byte is drawn without bias. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Characters that find a code; the rest proves it, with five tries. */
const selectorCharacters = 4;

/** A pairing code for somebody to type (decisions: Provisioning). */
export function newPairingCode(ids: Ids): string {
  const bytes = [...ids.randomBytes(PAIRING_CODE_CHARACTERS)];
  return bytes.map((byte) => codeAlphabet[byte % codeAlphabet.length]).join('');
}

/** The part of a code that finds it. */
export function selectorOf(code: string): string {
  return code.slice(0, selectorCharacters);
}

/** A code is short: what is kept of it is keyed, so that a copy of the database does not give it away. */
export function pairingCodeHash(code: string, hmac: (text: string) => string): string {
  return hmac(`pairing ${code}`);
}
