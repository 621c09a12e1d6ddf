// 06 00: password, config byte, optional currency, then service byte and TLV container.
import { Secret } from '../../../app/domain/secret.ts';
import { bcdDigits, packDigits } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import { packCurrency, readCurrency } from './bmp-fields.ts';
import { REGISTRATION } from './command-codes.ts';
import type { RegistrationCommand, RegistrationConfig } from './command-types.ts';
import { decodeFields, encodeFields } from './fields.ts';
import { malformed } from './malformed.ts';
import type { Malformed } from './message-types.ts';

export const PASSWORD_BYTES = 3;
const SERVICE_BYTE_BMP = 0x03;
const RESERVED_BITS = 0x41;

/** Where the optional currency ends: 0 when there is none. */
function currencyByteCount(rest: Uint8Array): number {
  const [first, second = 0] = rest;
  // 03 begins a currency such as 0392 or the service byte; no currency is 0300 to 030F, and service bytes are small.
  if (first === SERVICE_BYTE_BMP && second <= 0x0f) return 0;
  return readCurrency(rest.subarray(0, 2)) === undefined || first === 0x06 ? 0 : 2;
}

/** Decodes the data of 06 00. */
export function decodeRegistration(apdu: Uint8Array, data: Uint8Array): RegistrationCommand | Malformed {
  const configByte = data[PASSWORD_BYTES];
  if (configByte === undefined) return malformed(apdu, 'missing-field', { controlField: REGISTRATION });
  const rest = data.subarray(PASSWORD_BYTES + 1);
  const currency = readCurrency(rest.subarray(0, currencyByteCount(rest)));
  const result = decodeFields(rest.subarray(currencyByteCount(rest)), undefined);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField: REGISTRATION, field: result.field });
  return {
    type: 'registration',
    password: new Secret(bcdDigits(data.subarray(0, PASSWORD_BYTES))),
    config: readConfig(configByte),
    ...result.fields,
    ...(currency === undefined ? {} : { currency }),
    usesTlv: result.fields.tlv !== undefined,
  };
}

function readConfig(byte: number): RegistrationConfig {
  const reservedBits = byte & RESERVED_BITS;
  return {
    doesTillPrintPayments: (byte & 0x02) !== 0,
    doesTillPrintAdministration: (byte & 0x04) !== 0,
    wantsIntermediateStatus: (byte & 0x08) !== 0,
    doesTillControlPayments: (byte & 0x10) !== 0,
    doesTillControlAdministration: (byte & 0x20) !== 0,
    wantsReceiptLines: (byte & 0x80) !== 0,
    ...(reservedBits === 0 ? {} : { reservedBits }),
  };
}

/** The config byte of a registration. */
export function configByte(config: RegistrationConfig): number {
  return (
    (config.doesTillPrintPayments ? 0x02 : 0) +
    (config.doesTillPrintAdministration ? 0x04 : 0) +
    (config.wantsIntermediateStatus ? 0x08 : 0) +
    (config.doesTillControlPayments ? 0x10 : 0) +
    (config.doesTillControlAdministration ? 0x20 : 0) +
    (config.wantsReceiptLines ? 0x80 : 0) +
    ((config.reservedBits ?? 0) & RESERVED_BITS)
  );
}

/** Encodes 06 00. */
export function encodeRegistration(command: RegistrationCommand): Uint8Array {
  const { currency, password, config, usesTlv, ...fields } = command;
  return encodeApdu(
    REGISTRATION,
    concatBytes(
      packDigits(password.reveal(), PASSWORD_BYTES),
      Uint8Array.of(configByte(config)),
      currency === undefined ? new Uint8Array(0) : packCurrency(currency),
      encodeFields(fields, { hasEmptyContainer: usesTlv }),
    ),
  );
}
