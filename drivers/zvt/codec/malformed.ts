import { Secret } from '../../../app/domain/secret.ts';
import { decodeApdu } from './apdu.ts';
import type { Malformed } from './message-types.ts';

/** Builds the report on an APDU nothing may be concluded from. */
export function malformed(
  apdu: Uint8Array,
  reason: Malformed['reason'],
  where: { readonly controlField?: number | undefined; readonly field?: string | undefined } = {},
): Malformed {
  return {
    type: 'malformed',
    reason,
    ...(where.controlField === undefined ? {} : { controlField: where.controlField }),
    ...(where.field === undefined ? {} : { field: where.field }),
    bytes: new Secret(apdu),
  };
}

/** The control field and data of bytes that are exactly one APDU. */
export function openApdu(apdu: Uint8Array): { readonly controlField: number; readonly data: Uint8Array } | Malformed {
  const result = decodeApdu(apdu);
  if (!result.isComplete) return malformed(apdu, 'incomplete', { controlField: result.controlField });
  if (result.surplus.length > 0) return malformed(apdu, 'surplus-bytes', { controlField: result.controlField });
  return { controlField: result.controlField, data: result.data };
}
