import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import { accountFields, type CardField, pinFields } from './account-data.ts';
import { normalisedTags } from './emv-tags.ts';
import { keepMaskedPan } from './mask.ts';
import { chipFields, holdsCardNumber, storableTags } from './offline-tags.ts';
import { Secret } from './secret.ts';

/** Taken out only when it looks as if it held a card number. */
type ChipField = (typeof chipFields)[number][0];

/** What of an authorize request is card data: account and PIN data, and every EMV tag, since a chip may tell the account number too. */
export interface CardFields extends Readonly<Pick<AuthorizeRequest, CardField | ChipField>> {
  /** Tags under their one spelling, values in upper-case hex. */
  readonly emvTags: Readonly<Record<string, string>>;
}

/**
 * Card data of one authorization. Neither JSON, text, the inspector nor a structured clone gives anything of it away; only the rules
 * (authorize-request.ts) and an acquirer that builds its message open it, with `reveal()`.
 */
export type CardData = Secret<CardFields>;

/** An authorize request without its card data: what may be logged, hashed and stored. `emvTlv` holds the tags that may be stored. */
export type StorableRequest = Omit<AuthorizeRequest, CardField>;

/**
 * Takes the card data out of a request, at the edge, before anything else sees it (architecture: Card data are types; decisions: authorize
 * additions). The masked number is dropped when it shows too much.
 * @throws BridgeError INVALID_REQUEST for an EMV tag that is none or is given twice
 */
export function takeCardData(request: AuthorizeRequest): {
  readonly request: StorableRequest;
  readonly cardData: CardData;
} {
  const tags = normalisedTags(request.emvTlv ?? {});
  const suspect = chipFields.filter(([field, tag]) => holdsCardNumber(tag, request[field] ?? ''));
  const names: readonly string[] = [...accountFields, ...pinFields, ...suspect.map(([field]) => field)];
  const fields: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request)) (names.includes(name) ? fields : rest)[name] = value;
  delete rest.maskedPan;
  delete rest.emvTlv;
  const maskedPan = request.maskedPan === undefined ? undefined : keepMaskedPan(request.maskedPan);
  const kept = [...tags].filter(([tag, value]) => storableTags.has(tag) && !holdsCardNumber(tag, value));
  return {
    request: {
      ...(rest as StorableRequest),
      ...(maskedPan === undefined ? {} : { maskedPan }),
      ...(kept.length === 0 ? {} : { emvTlv: Object.fromEntries(kept) }),
    },
    cardData: new Secret({
      ...(fields as Pick<AuthorizeRequest, CardField | ChipField>),
      emvTags: Object.fromEntries(tags),
    }),
  };
}
