import { type Static, type TProperties, Type } from 'typebox';
import { MAX_ID_CHARACTERS, MAX_REQUEST_ID_CHARACTERS } from '../limits.ts';
import { text } from '../parts.ts';
import {
  MAX_PIN_DIGITS,
  MAX_STAFF_NAME_CHARACTERS,
  MAX_SUPPORT_CONTACT_CHARACTERS,
  MIN_PIN_DIGITS,
} from './console-limits.ts';
import { Role } from './roles.ts';

/** Small schemas that the groups of procedures share. */

/** An object that takes no other fields. */
export function strictObject<Properties extends TProperties>(properties: Properties, description: string) {
  return Type.Object(properties, { additionalProperties: false, description });
}

export const Nothing = strictObject({}, 'No fields.');

export const StaffId = text(MAX_ID_CHARACTERS, 'Identifier of a member of the staff.');

export const StaffName = Type.String({
  minLength: 1,
  maxLength: MAX_STAFF_NAME_CHARACTERS,
  pattern: "^[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N} .'’-]*[\\p{L}\\p{M}\\p{N}.])?$",
  description: `Name on the screen and in the journal: 1 to ${MAX_STAFF_NAME_CHARACTERS} letters, digits, spaces, dots, dashes or apostrophes.`,
});

export const Pin = Type.String({
  pattern: `^[0-9]{${MIN_PIN_DIGITS},${MAX_PIN_DIGITS}}$`,
  description: `${MIN_PIN_DIGITS} to ${MAX_PIN_DIGITS} digits.`,
});

/** A manager's word on the spot; needed when the caller is no manager (the procedure's `approval`). Recorded with what it approved. */
export const Approval = strictObject({ staffId: StaffId, pin: Pin }, 'Approval by a manager or administrator.');
export type Approval = Static<typeof Approval>;

/** Who is signed in. */
export const SignedIn = strictObject(
  { staffId: StaffId, name: StaffName, role: Role },
  'A signed-in member of the staff.',
);
export type SignedIn = Static<typeof SignedIn>;

/** Key of one attempt. A repeat under it gives the first answer again; the events of the attempt carry it as their requestId. */
export const AttemptKey = Type.String({
  minLength: 1,
  maxLength: MAX_REQUEST_ID_CHARACTERS,
  pattern: '^[\\x21-\\x7e]+$',
  description: `1 to ${MAX_REQUEST_ID_CHARACTERS} visible ASCII characters; a new one for each press that is meant.`,
});

/** Locale of the console's texts. */
export const Language = Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'BCP 47: en, de, fr, es, it …' });

/** Whom the staff calls when something is wrong; what is not known is left out. */
export const SupportContact = strictObject(
  {
    name: Type.Optional(text(MAX_SUPPORT_CONTACT_CHARACTERS, 'Who answers.')),
    phone: Type.Optional(
      Type.String({
        pattern: '^[+0-9][0-9 ()/.-]{2,39}$',
        description: 'Phone number as one dials it.',
      }),
    ),
    email: Type.Optional(
      Type.String({
        pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
        maxLength: MAX_SUPPORT_CONTACT_CHARACTERS,
        description: 'E-mail address.',
      }),
    ),
  },
  'Whom the staff calls.',
);
export type SupportContact = Static<typeof SupportContact>;
