import { type Static, Type } from 'typebox';
import { Currency, text } from '../parts.ts';
import {
  MAX_PROVISIONED_NAME_CHARACTERS,
  MAX_TOKEN_CHARACTERS,
  PAIRING_CODE_CHARACTERS,
  PAIRING_CODE_TTL_MINUTES,
} from './host-limits.ts';
import { DeviceId, HostTerminalId, MerchantId, strict } from './host-parts.ts';

/** What a till that asks can only be: it has a currency, belongs to a merchant, or still owes something as the terminal that it was. */
const PairingExpectation = Type.Object(
  {
    merchantId: Type.Optional(MerchantId),
    terminalId: Type.Optional(HostTerminalId),
    currencyCode: Type.Optional(Currency),
  },
  {
    ...strict,
    description:
      'What the terminal of the code must be. A code of another one is refused with ILLEGAL_STATE, which names the field, and stays valid.',
  },
);
export type PairingExpectation = Static<typeof PairingExpectation>;

/** POST /api/v1/terminal/pair: an 8-character code, valid once, against the terminal's device token (decisions: Provisioning). */
export const PairRequest = Type.Object(
  {
    pairingCode: Type.String({
      pattern: `^[0-9A-Z]{${PAIRING_CODE_CHARACTERS}}$`,
      description: `The pairing code: ${PAIRING_CODE_CHARACTERS} digits and capital letters, valid once and for ${PAIRING_CODE_TTL_MINUTES} minutes.`,
      examples: ['7K2M9QXD'],
    }),
    expected: Type.Optional(PairingExpectation),
  },
  { ...strict, description: 'The code that the operator has read out.' },
);
export type PairRequest = Static<typeof PairRequest>;

export const PairResponse = Type.Object(
  {
    merchantId: MerchantId,
    merchantName: text(MAX_PROVISIONED_NAME_CHARACTERS, 'Name of the merchant, for people.'),
    terminalId: HostTerminalId,
    terminalName: text(MAX_PROVISIONED_NAME_CHARACTERS, 'Name of the terminal, for people.'),
    deviceId: DeviceId,
    deviceToken: Type.String({
      maxLength: MAX_TOKEN_CHARACTERS,
      description: 'Bearer token of this terminal; told once and stored as a hash only. Keep it in the vault.',
    }),
    currencyCode: Currency,
  },
  { ...strict, description: 'Who the terminal is from now on.' },
);
export type PairResponse = Static<typeof PairResponse>;
