// Commands that are a BMP list, some after a password: payments, reservations, reversals, refunds, balance.
import { Secret } from '../../../app/domain/secret.ts';
import { bcdDigits, packDigits } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import type { FieldKey } from './bmp-fields.ts';
import * as codes from './command-codes.ts';
import type {
  AuthorizationCommand,
  BalanceCommand,
  BookTotalCommand,
  OpenPreAuthorizationsQuery,
  PartialReversalCommand,
  PreAuthorizationCommand,
  PreAuthorizationReversalCommand,
  RefundCommand,
  ReversalCommand,
} from './command-types.ts';
import { decodeFields, encodeFields } from './fields.ts';
import { malformed } from './malformed.ts';
import type { Malformed, ZvtFields } from './message-types.ts';
import { PASSWORD_BYTES } from './registration.ts';

export type PaymentCommand =
  | AuthorizationCommand
  | PreAuthorizationCommand
  | BookTotalCommand
  | PartialReversalCommand
  | OpenPreAuthorizationsQuery
  | PreAuthorizationReversalCommand
  | ReversalCommand
  | RefundCommand
  | BalanceCommand;

/** The order captured and specified commands follow: what is referred to, how much, which reservation, in what way. */
const REFERRING_ORDER: readonly FieldKey[] = ['receipt', 'amountMinor', 'trace', 'authorizationAttribute', 'currency'];
const PAYING_ORDER: readonly FieldKey[] = ['amountMinor', 'currency', 'trace', 'authorizationAttribute', 'paymentType'];

/** True for the control fields this file knows. */
export function isPaymentCommand(controlField: number): boolean {
  return READERS.has(controlField);
}

type Read = (fields: ZvtFields, password: Secret<string>) => PaymentCommand | { readonly missing: string };

const AMOUNT = '04';
const RECEIPT = '87';

/** Adds what a command cannot do without, or names what is missing. */
function withAmount<Command>(fields: ZvtFields, build: (amountMinor: number) => Command) {
  return fields.amountMinor === undefined ? { missing: AMOUNT } : build(fields.amountMinor);
}

function withReceipt<Command>(fields: ZvtFields, build: (receipt: string) => Command) {
  return fields.receipt === undefined ? { missing: RECEIPT } : build(fields.receipt);
}

const READERS: ReadonlyMap<number, Read> = new Map<number, Read>([
  [
    codes.AUTHORIZATION,
    (fields) => withAmount(fields, (amountMinor) => ({ type: 'authorization', ...fields, amountMinor })),
  ],
  [
    codes.PRE_AUTHORIZATION,
    (fields) => withAmount(fields, (amountMinor) => ({ type: 'pre-authorization', ...fields, amountMinor })),
  ],
  [codes.BOOK_TOTAL, (fields) => withReceipt(fields, (receipt) => ({ type: 'book-total', ...fields, receipt }))],
  [codes.PARTIAL_REVERSAL, readPartialReversal],
  [
    codes.PRE_AUTHORIZATION_REVERSAL,
    (fields) => withReceipt(fields, (receipt) => ({ type: 'pre-authorization-reversal', ...fields, receipt })),
  ],
  [
    codes.REVERSAL,
    (fields, password) => withReceipt(fields, (receipt) => ({ type: 'reversal', ...fields, password, receipt })),
  ],
  [
    codes.REFUND,
    (fields, password) => withAmount(fields, (amountMinor) => ({ type: 'refund', ...fields, password, amountMinor })),
  ],
  [codes.BALANCE, (fields) => ({ type: 'balance', ...fields })],
]);

function readPartialReversal(fields: ZvtFields): PaymentCommand {
  const { amountMinor, receipt, ...rest } = fields;
  if (receipt === codes.NO_RECEIPT && amountMinor === undefined) return { type: 'open-pre-authorizations', ...rest };
  return {
    type: 'partial-reversal',
    ...rest,
    ...(receipt === undefined ? {} : { receipt }),
    ...(amountMinor === undefined ? {} : { unusedAmountMinor: amountMinor }),
  };
}

/** Decodes the data of a payment command. A field that cannot be read makes the command unusable. */
export function decodePaymentCommand(
  apdu: Uint8Array,
  controlField: number,
  data: Uint8Array,
): PaymentCommand | Malformed {
  const prefix = controlField === codes.REVERSAL || controlField === codes.REFUND ? PASSWORD_BYTES : 0;
  const read = READERS.get(controlField);
  if (read === undefined || data.length < prefix) return malformed(apdu, 'missing-field', { controlField });
  const result = decodeFields(data.subarray(prefix), undefined);
  if (!result.ok) return malformed(apdu, 'bad-field', { controlField, field: result.field });
  const problem = result.fields.problems?.find(({ reason }) => reason !== 'bad-tlv');
  if (problem !== undefined) return malformed(apdu, 'bad-field', { controlField, field: problem.field });
  const command = read(result.fields, new Secret(bcdDigits(data.subarray(0, prefix))));
  if ('missing' in command) return malformed(apdu, 'missing-field', { controlField, field: command.missing });
  return command;
}

/** Encodes a payment command. */
export function encodePaymentCommand(command: PaymentCommand): Uint8Array {
  switch (command.type) {
    case 'authorization':
      return build(codes.AUTHORIZATION, command, PAYING_ORDER);
    case 'pre-authorization':
      return build(codes.PRE_AUTHORIZATION, command, PAYING_ORDER);
    case 'balance':
      return build(codes.BALANCE, command, PAYING_ORDER);
    case 'refund':
      return build(codes.REFUND, command, PAYING_ORDER, command.password);
    case 'reversal':
      return build(codes.REVERSAL, command, REFERRING_ORDER, command.password);
    case 'book-total':
      return build(codes.BOOK_TOTAL, command, REFERRING_ORDER);
    case 'pre-authorization-reversal':
      return build(codes.PRE_AUTHORIZATION_REVERSAL, command, REFERRING_ORDER);
    case 'open-pre-authorizations':
      return build(codes.PARTIAL_REVERSAL, { ...command, receipt: codes.NO_RECEIPT }, REFERRING_ORDER);
    case 'partial-reversal': {
      const { unusedAmountMinor, ...fields } = command;
      const amount = unusedAmountMinor === undefined ? {} : { amountMinor: unusedAmountMinor };
      return build(codes.PARTIAL_REVERSAL, { ...fields, ...amount }, REFERRING_ORDER);
    }
  }
}

function build(
  controlField: number,
  fields: ZvtFields,
  first: readonly FieldKey[],
  password?: Secret<string>,
): Uint8Array {
  const prefix = password === undefined ? new Uint8Array(0) : packDigits(password.reveal(), PASSWORD_BYTES);
  return encodeApdu(controlField, concatBytes(prefix, encodeFields(fields, { first })));
}
