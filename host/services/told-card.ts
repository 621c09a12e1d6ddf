import type { Payment, PaymentCardScheme } from '../../app/contract/host/payment.ts';
import { cardSchemes } from '../../app/contract/transactions.ts';
import { keepMaskedPan } from '../../app/domain/mask.ts';
import { UNKNOWN_SCHEME } from '../../app/domain/totals.ts';

type CardPresent = NonNullable<Payment['cardPresent']>;

/** What a device tells of a card. Names of open lists are kept as they come (decisions: Open enums). */
export interface ToldCard {
  readonly terminalId: string;
  readonly cardScheme?: string;
  readonly maskedPan?: string;
  readonly entryMode?: string;
  readonly acceptanceMode?: string;
  readonly applicationLabel?: string;
  readonly aid?: string;
  readonly cryptogramType?: string;
  readonly tvr?: string;
  readonly cvmResult?: string;
}

const presentFields = [
  'terminalId',
  'entryMode',
  'acceptanceMode',
  'applicationLabel',
  'aid',
  'cryptogramType',
  'tvr',
  'cvmResult',
] as const satisfies readonly (keyof ToldCard & keyof CardPresent)[];

/** The fields of a payment that tell of its card; a masked number that shows too much is dropped (decisions: maskedPan). */
export function cardOf(told: ToldCard): Pick<Payment, 'cardScheme' | 'maskedPan' | 'cardPresent'> {
  const maskedPan = told.maskedPan === undefined ? undefined : keepMaskedPan(told.maskedPan);
  const present = presentFields.filter((field) => told[field] !== undefined).map((field) => [field, told[field]]);
  return {
    ...(told.cardScheme === undefined ? {} : { cardScheme: schemeOf(told.cardScheme) }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    cardPresent: Object.fromEntries(present) as CardPresent,
  };
}

function schemeOf(told: string): PaymentCardScheme {
  return cardSchemes.find((scheme) => scheme === told.toUpperCase()) ?? UNKNOWN_SCHEME;
}
