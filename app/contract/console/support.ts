import { type Static, Type } from 'typebox';
import { DeviceState } from '../device.ts';
import { count, dateTime, mapOf, oneOfStrings, TerminalId, taggedUnion, text } from '../parts.ts';
import {
  MAX_BUNDLE_DAYS,
  MAX_LISTED_LOG_LINES,
  MAX_PREVIEW_CHARACTERS,
  MAX_TOLD_FINDINGS,
  MAX_TRACED_MESSAGES,
} from './console-limits.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { supportRoles } from './roles.ts';

const EntryName = text(200, 'Name of an entry of the bundle.');

const LogLineView = strictObject(
  {
    sequence: count('Rises by one with each line.'),
    at: dateTime('When, ISO 8601.'),
    level: oneOfStrings(['debug', 'info', 'warn', 'error'], 'How grave.'),
    message: Type.String(),
    fields: mapOf(Type.Union([Type.String(), Type.Number()]), { description: 'The fields that a line may carry.' }),
  },
  'A line of the log.',
);
export type LogLineView = Static<typeof LogLineView>;

const TraceView = strictObject(
  {
    sequence: count('Rises by one with each message.'),
    at: dateTime('When, ISO 8601.'),
    direction: oneOfStrings(['TO_TERMINAL', 'FROM_TERMINAL'], 'Who sent it.'),
    name: Type.String({ description: 'Control field and name.' }),
    byteCount: count('Its length.'),
    fields: Type.Array(
      strictObject(
        {
          tag: Type.String(),
          shown: Type.Optional(Type.String({ description: 'Its bytes, hexadecimal.' })),
          hiddenBytes: Type.Optional(count('How many bytes are not shown.')),
        },
        'A field: its bytes, or how many they are.',
      ),
    ),
  },
  'A message on the line of a terminal, without card data.',
);
export type TraceView = Static<typeof TraceView>;

const Diagnostics = strictObject(
  {
    now: dateTime('The clock of the till, ISO 8601.'),
    timeZone: Type.String({ description: 'IANA name.' }),
    version: Type.String(),
    runtime: Type.String(),
    platform: Type.String(),
    upSeconds: count('Since the till was started.'),
    memoryBytes: count('Held by the till.'),
    dataDir: Type.String(),
    diskFreeBytes: count('Free where the data folder is.'),
    diskBytes: count('Size of that disk.'),
    journalBytes: count('Size of the journal.'),
    walBytes: count('Of it, not yet moved into the file.'),
    logBytes: count('Size of the logs.'),
    posUrl: Type.String({ description: 'Where the POS API listens.' }),
    terminals: Type.Array(
      strictObject(
        { terminalId: TerminalId, protocol: Type.String(), connected: Type.Boolean(), state: DeviceState },
        'A terminal as it is now.',
      ),
    ),
  },
  'How the till is.',
);

const progress = {
  kind: Type.Literal('RUNNING'),
  step: oneOfStrings(['VERIFY', 'COLLECT', 'SCAN'], 'What is done now.'),
  done: Type.Number({ minimum: 0 }),
  of: Type.Number({ minimum: 0, description: '0 when not known yet.' }),
};
const nothingYet = strictObject({ kind: Type.Literal('NONE') }, 'None since the start of the till.');
const runs = strictObject(progress, 'Running.');
const cancelled = strictObject({ kind: Type.Literal('CANCELLED') }, 'Stopped by a person.');
const failed = strictObject({ kind: Type.Literal('FAILED'), reason: Type.String() }, 'Could not be done.');

export const BundleView = taggedUnion(
  'kind',
  [
    nothingYet,
    runs,
    cancelled,
    failed,
    strictObject(
      {
        kind: Type.Literal('MADE'),
        fileName: Type.String(),
        madeAt: dateTime('When, ISO 8601.'),
        byteCount: count('Size of the file.'),
        entries: Type.Array(strictObject({ name: EntryName, byteCount: count('Its size.') }, 'An entry.')),
        removedLines: count('Lines of the logs that did not come in.'),
      },
      'Ready: looked through, and nothing was found.',
    ),
    strictObject(
      {
        kind: Type.Literal('REFUSED'),
        count: count('Places in which something was found.'),
        findings: Type.Array(
          strictObject(
            {
              entry: Type.String(),
              line: Type.Optional(count('In a log, from 1.')),
              kind: Type.String({ description: 'What it looks like.' }),
            },
            'Where, and of which kind.',
          ),
          { maxItems: MAX_TOLD_FINDINGS },
        ),
      },
      'Something was found that must not leave the till: there is no bundle.',
    ),
  ],
  'The support bundle.',
);
export type BundleView = Static<typeof BundleView>;

export const VerificationView = taggedUnion(
  'kind',
  [
    nothingYet,
    runs,
    cancelled,
    failed,
    strictObject(
      {
        kind: Type.Literal('VERIFIED'),
        at: dateTime('Begun, ISO 8601.'),
        ok: Type.Boolean({ description: 'Nothing was changed, removed or cut off.' }),
        rows: count('Rows that were read.'),
        findings: Type.Array(Type.String(), { maxItems: MAX_TOLD_FINDINGS }),
      },
      'Ended.',
    ),
  ],
  'The check of the journal.',
);
export type VerificationView = Static<typeof VerificationView>;

const approval = Type.Optional(Approval);

export const supportProcedures = {
  'support.log': {
    kind: 'LOOK_UP',
    roles: supportRoles,
    request: strictObject(
      {
        after: count('Sequence of the last line that is known; 0 for all.'),
        run: Type.Optional(text(40, 'Of which run.')),
      },
      'From where on.',
    ),
    response: strictObject(
      {
        run: Type.String({ description: 'Another one: the sequences began anew, and all lines are given.' }),
        lines: Type.Array(LogLineView, { maxItems: MAX_LISTED_LOG_LINES }),
      },
      'The newest lines, oldest first.',
    ),
  },
  'support.traces': {
    kind: 'LOOK_UP',
    roles: supportRoles,
    request: strictObject({ terminalId: TerminalId }, 'Of which terminal.'),
    response: strictObject(
      { traces: Type.Array(TraceView, { maxItems: MAX_TRACED_MESSAGES }) },
      'The newest messages, oldest first.',
    ),
  },
  'support.diagnostics': { kind: 'LOOK_UP', roles: supportRoles, request: Nothing, response: Diagnostics },
  'support.work': {
    kind: 'LOOK_UP',
    roles: supportRoles,
    request: Nothing,
    response: strictObject({ bundle: BundleView, verification: VerificationView }, 'How far it has come.'),
  },
  'support.verify': { kind: 'COMMAND', roles: supportRoles, request: Nothing, response: Nothing },
  'support.makeBundle': {
    kind: 'COMMAND',
    roles: supportRoles,
    request: strictObject(
      {
        days: Type.Integer({ minimum: 1, maximum: MAX_BUNDLE_DAYS, description: 'Of payments.' }),
        leavesOutLines: Type.Boolean({ description: 'Leave lines of the log out in which something is found.' }),
      },
      'What goes in.',
    ),
    response: Nothing,
  },
  'support.stop': {
    kind: 'COMMAND',
    roles: supportRoles,
    request: strictObject({ what: oneOfStrings(['BUNDLE', 'VERIFICATION'], 'What is to end.') }, 'What is to end.'),
    response: Nothing,
  },
  'support.entry': {
    kind: 'LOOK_UP',
    roles: supportRoles,
    request: strictObject({ name: EntryName }, 'Which entry.'),
    response: strictObject(
      { text: Type.String({ maxLength: MAX_PREVIEW_CHARACTERS }), isCut: Type.Boolean() },
      'The beginning of an entry.',
    ),
  },
  'support.handOver': {
    kind: 'COMMAND',
    roles: supportRoles,
    approval: 'ALWAYS',
    request: strictObject({ approval }, 'The bundle that was made.'),
    response: strictObject(
      {
        url: Type.String({ description: 'Where this browser fetches it, once, within a minute.' }),
        fileName: Type.String(),
      },
      'A file that waits to be fetched.',
    ),
  },
} as const satisfies Record<string, Procedure>;
