import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import type { Ids } from '../ports/ids.ts';

const saltBytes = 16;
const keyBytes = 32;
/** Costs of scrypt (RFC 7914): 16 MiB and some ten milliseconds for each try. */
const costs = { N: 16_384, r: 8, p: 1 } as const;

/** The salted hash of a PIN with its costs, as it is stored: `scrypt$N$r$p$salt$key`, salt and key in hex. */
export async function hashPin(pin: Secret<string>, ids: Ids): Promise<string> {
  const salt = Buffer.from(ids.randomBytes(saltBytes));
  const key = await derive(pin, salt, costs);
  return ['scrypt', costs.N, costs.r, costs.p, salt.toString('hex'), key.toString('hex')].join('$');
}

/** @throws Error for a stored hash of another form: the row was changed by hand */
export async function isRightPin(pin: Secret<string>, stored: string): Promise<boolean> {
  const parts = /^scrypt\$([0-9]+)\$([0-9]+)\$([0-9]+)\$([0-9a-f]+)\$([0-9a-f]+)$/.exec(stored);
  if (parts === null) throw new Error('a stored PIN hash has a form that this program does not know');
  const [, N, r, p, salt = '', key = ''] = parts;
  const expected = Buffer.from(key, 'hex');
  const found = await derive(pin, Buffer.from(salt, 'hex'), { N: Number(N), r: Number(r), p: Number(p) });
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function derive(pin: Secret<string>, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin.reveal(), salt, keyBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
