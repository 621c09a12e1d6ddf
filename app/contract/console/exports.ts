import { type Static, Type } from 'typebox';
import { dateTime, oneOfStrings } from '../parts.ts';
import { SettlementId } from '../settlements.ts';
import { Approval, Language, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

/** How the table is written, so that the spreadsheet of the language opens it as a table. Headings are in that language, English when left out. */
export const CsvFormat = strictObject(
  {
    delimiter: oneOfStrings([',', ';'], 'Between fields.'),
    decimal: oneOfStrings(['.', ','], 'In amounts.'),
    language: Type.Optional(Language),
  },
  'How the table is written.',
);
export type CsvFormat = Static<typeof CsvFormat>;

const table = { format: CsvFormat, approval: Type.Optional(Approval) };
const range = {
  from: dateTime('Begun, or closed, on or after; ISO 8601.'),
  to: dateTime('Begun, or closed, before; ISO 8601.'),
};

const ReadyFile = strictObject(
  {
    url: Type.String({ description: 'Where this browser fetches it, once, within a minute.' }),
    fileName: Type.String(),
  },
  'A file that waits to be fetched.',
);

export const exportProcedures = {
  'exports.transactions': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ ...range, ...table }, 'Which payments.'),
    response: ReadyFile,
  },
  'exports.settlements': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ ...range, ...table }, 'Which closes.'),
    response: ReadyFile,
  },
  'exports.report': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ settlementId: SettlementId, ...table }, 'Which Z report.'),
    response: ReadyFile,
  },
} as const satisfies Record<string, Procedure>;
