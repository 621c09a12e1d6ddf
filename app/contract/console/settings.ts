import { type Static, Type } from 'typebox';
import { nullable, oneOfStrings } from '../parts.ts';
import { StoredOfflineSales, StoredSettings } from '../settings.ts';
import { Approval, Language, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole, sellingRoles } from './roles.ts';

/** What the console's Settings page changes; the rest of the settings belongs to other pages or to the file. */
const changeable = Type.Pick(StoredSettings, [
  'merchantName',
  'merchantId',
  'receiptHeader',
  'receiptFooter',
  'timeZone',
  'dayCutOff',
  'lockAfterSeconds',
  'refundApprovalAboveMinor',
  'supportContact',
  'holdDays',
  'showTrainingHint',
]);

/** Absent in the file means that each browser follows its own. */
const language = nullable(Language);

/** Sales without their issuer: changed as a whole, so that a switch is never on with limits that nobody has seen. */
const offlineSales = Type.Required(StoredOfflineSales, { description: 'Sales without their issuer.' });

/** Settings that hold from the next start of the till on: what is stamped by them while it runs must not change in between. */
const FieldOfNextStart = oneOfStrings(['timeZone', 'dayCutOff'], 'Stored, and in force from the next start on.');

export const SettingsView = strictObject(
  {
    ...Type.Required(changeable).properties,
    language,
    offlineSales,
    afterRestart: Type.Array(FieldOfNextStart, { description: 'What was changed and waits for the next start.' }),
  },
  'The settings as they are stored.',
);
export type SettingsView = Static<typeof SettingsView>;

export const SettingsChanges = strictObject(
  {
    ...Type.Partial(changeable).properties,
    language: Type.Optional(language),
    offlineSales: Type.Optional(offlineSales),
  },
  'What changes; all of it or nothing. language null: each browser follows its own.',
);
export type SettingsChanges = Static<typeof SettingsChanges>;

export const settingsProcedures = {
  'settings.read': { kind: 'LOOK_UP', roles: everyRole, request: Nothing, response: SettingsView },
  'settings.update': {
    kind: 'COMMAND',
    roles: sellingRoles,
    approval: 'ALWAYS',
    request: strictObject({ changes: SettingsChanges, approval: Type.Optional(Approval) }, 'A change of settings.'),
    response: SettingsView,
  },
} as const satisfies Record<string, Procedure>;
