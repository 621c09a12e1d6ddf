import { type Static, Type } from 'typebox';

const maxCharacters = 200;

/** Query of the browser doctor; a form sends what was left empty as an empty text. */
export const DoctorQuery = Type.Object(
  {
    origin: Type.Optional(
      Type.String({ maxLength: maxCharacters, description: 'Origin of the web POS, https://pos.example.' }),
    ),
    address: Type.Optional(
      Type.String({ maxLength: maxCharacters, description: "Address that it calls; the till's own when left out." }),
    ),
  },
  { additionalProperties: false },
);
export type DoctorQuery = Static<typeof DoctorQuery>;
