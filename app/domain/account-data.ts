import { BridgeError } from '../contract/errors.ts';
import type { AuthorizeRequest } from '../contract/host/authorize.ts';

/** Fields of an authorize request that hold account or PIN data, or belong to them. */
export const accountFields = [
  'applicationPan',
  'panEncrypted',
  'accountDataKsn',
  'accountDataKeyScheme',
  'track2',
] as const satisfies readonly (keyof AuthorizeRequest)[];

export const pinFields = [
  'pinBlock',
  'ksn',
  'pinBlockFormat',
  'pinKeyScheme',
] as const satisfies readonly (keyof AuthorizeRequest)[];

export type CardField = (typeof accountFields)[number] | (typeof pinFields)[number];

type CardFieldPresence = Readonly<Record<CardField, boolean>>;

/** A rule of the truth table: when it is broken, `field` is named with `rule`. */
interface Rule {
  readonly field: CardField;
  readonly isBroken: (has: CardFieldPresence) => boolean;
  readonly rule: string;
}

/**
 * The truth table of account and PIN data as rules, in the order in which they are told (specification: AuthorizeRequest; decisions: authorize
 * additions). The key serial numbers cannot be swapped: each is taken beside its own data only.
 */
const rules: readonly Rule[] = [
  {
    field: 'applicationPan',
    isBroken: (has) => has.applicationPan && has.panEncrypted,
    rule: 'must not be given together with panEncrypted',
  },
  {
    field: 'track2',
    isBroken: (has) => has.track2 && has.panEncrypted,
    rule: 'must not be given together with panEncrypted',
  },
  {
    field: 'accountDataKsn',
    isBroken: (has) => has.panEncrypted && !has.accountDataKsn,
    rule: 'is required with panEncrypted',
  },
  {
    field: 'accountDataKeyScheme',
    isBroken: (has) => has.panEncrypted && !has.accountDataKeyScheme,
    rule: 'is required with panEncrypted',
  },
  {
    field: 'accountDataKsn',
    isBroken: (has) => !has.panEncrypted && has.accountDataKsn,
    rule: 'is the key serial number of panEncrypted, which is absent; that of the PIN is ksn',
  },
  {
    field: 'accountDataKeyScheme',
    isBroken: (has) => !has.panEncrypted && has.accountDataKeyScheme,
    rule: 'belongs to panEncrypted, which is absent',
  },
  { field: 'ksn', isBroken: (has) => has.pinBlock && !has.ksn, rule: 'is required with pinBlock' },
  {
    field: 'ksn',
    isBroken: (has) => !has.pinBlock && has.ksn,
    rule: 'is the key serial number of pinBlock, which is absent; that of panEncrypted is accountDataKsn',
  },
  {
    field: 'pinBlockFormat',
    isBroken: (has) => !has.pinBlock && has.pinBlockFormat,
    rule: 'belongs to pinBlock, which is absent',
  },
  {
    field: 'pinKeyScheme',
    isBroken: (has) => !has.pinBlock && has.pinKeyScheme,
    rule: 'belongs to pinBlock, which is absent',
  },
];

/** @throws BridgeError INVALID_REQUEST naming the field that may not stand, or is missing, in this combination; no value is repeated. */
export function assertAccountData(request: Partial<Record<CardField, unknown>>): void {
  const names: readonly CardField[] = [...accountFields, ...pinFields];
  const has = Object.fromEntries(names.map((name) => [name, request[name] !== undefined])) as CardFieldPresence;
  const broken = rules.find((rule) => rule.isBroken(has));
  if (broken === undefined) return;
  throw new BridgeError('INVALID_REQUEST', `${broken.field} ${broken.rule}`, { field: broken.field });
}
