import { type Static, Type } from 'typebox';

/** When the day is closed by itself (settings.json `scheduledClose`). */
export const ScheduledCloseTime = Type.Object(
  {
    /** Local time HH:MM. */
    time: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** Days of the week, 1 is Monday; every day when left out. */
    days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 })),
  },
  { additionalProperties: false, description: 'When the day is closed by itself.' },
);
export type ScheduledCloseTime = Static<typeof ScheduledCloseTime>;
