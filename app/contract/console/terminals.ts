import { type Static, Type } from 'typebox';
import { DeviceStatus, displayFields, PrintRequest } from '../device.ts';
import { Currency, oneOfStrings, TerminalId, TerminalName, taggedUnion } from '../parts.ts';
import { TerminalInfo } from '../recovery.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { approvingRoles, everyRole } from './roles.ts';

export const TerminalView = strictObject(
  {
    ...TerminalInfo.properties,
    status: DeviceStatus,
    name: Type.Optional(TerminalName),
    isDefault: Type.Optional(Type.Boolean({ description: 'The one that a sale at the console begins with.' })),
    asksTip: Type.Optional(Type.Boolean({ description: 'It asks for a tip at a sale that names none.' })),
  },
  'A terminal: what it can do, and how it is.',
);
export type TerminalView = Static<typeof TerminalView>;

/** A terminal as it stands in the settings. */
const KeptTerminal = strictObject(
  {
    terminalId: TerminalId,
    name: Type.Optional(TerminalName),
    address: Type.String({ description: 'Where it is, without its password.' }),
    isDefault: Type.Boolean({ description: 'The one that a sale at the console begins with.' }),
    isAttached: Type.Boolean({ description: 'False: it is used from the next start on.' }),
  },
  'A terminal of the settings.',
);
export type KeptTerminal = Static<typeof KeptTerminal>;

const MAX_PATH_CHARACTERS = 255;
const MAX_HOST_CHARACTERS = 253;

/** What a USB device says of itself. */
const hidFields = {
  vendorId: Type.Integer({ minimum: 0, maximum: 65_535, description: 'USB number of its maker.' }),
  productId: Type.Integer({ minimum: 0, maximum: 65_535, description: 'USB number of its model.' }),
  serialNumber: Type.Optional(
    Type.String({ minLength: 1, maxLength: 126, description: 'Its own number; absent: the only one of its kind.' }),
  ),
};

export const TerminalLine = taggedUnion(
  'kind',
  [
    strictObject(
      {
        kind: Type.Literal('TCP'),
        host: Type.String({
          pattern: `^([A-Za-z0-9._-]{1,${MAX_HOST_CHARACTERS}}|[0-9A-Fa-f:.]{2,45})$`,
          description: 'Name or address in the network.',
        }),
        port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP port.' }),
      },
      'In the network.',
    ),
    strictObject(
      {
        kind: Type.Literal('SERIAL'),
        path: Type.String({
          pattern: `^(/[A-Za-z0-9/._:+-]{1,${MAX_PATH_CHARACTERS}}|COM[0-9]{1,3})$`,
          description: 'Serial port: /dev/ttyUSB0, COM3.',
        }),
        baudRate: Type.Integer({ minimum: 300, maximum: 921_600, description: 'Baud.' }),
      },
      'On a serial port.',
    ),
    strictObject({ kind: Type.Literal('HID'), ...hidFields }, 'A card reader on USB.'),
  ],
  'How a terminal is connected.',
);
export type TerminalLine = Static<typeof TerminalLine>;

/** What terminals speak, as the settings of a terminal tell it apart. */
export const TerminalProtocol = oneOfStrings(
  ['ZVT', 'NEO2', 'ECR17', 'CAISSE_AP'],
  'ZVT, ECR17 and Caisse-AP terminals have an acquirer of their own; NEO2 is a card reader.',
);
export type TerminalProtocol = Static<typeof TerminalProtocol>;

/** How people write them. */
export const terminalProtocolNames = {
  ZVT: 'ZVT',
  NEO2: 'NEO 2',
  ECR17: 'ECR17',
  CAISSE_AP: 'Caisse-AP',
} as const satisfies Record<TerminalProtocol, string>;

/** Which bytes the check byte of an ECR17 frame counts; a search finds it out. */
const Lrc = oneOfStrings(
  ['STD', 'STX', 'NOEXT', 'STX_NOEXT'],
  'ECR17: what the check byte of a frame counts beside the message: nothing, STX and ETX, ETX, STX.',
);

/** Why nothing was found there; each has its own advice. */
export const SearchProblem = oneOfStrings(
  [
    'REFUSED',
    'NO_ROUTE',
    'NAME_NOT_FOUND',
    'SILENT',
    'NO_SUCH_PORT',
    'PORT_IN_USE',
    'NO_PERMISSION',
    'NO_ANSWER',
    'NOT_READABLE',
    'FOREIGN',
    'REFUSES',
    'NO_DRIVER',
    'OTHER',
  ],
  'REFUSED: nothing listens there. SILENT: no such device answers. NO_ANSWER: the line opens, nothing comes. NOT_READABLE: bytes come that are no message. FOREIGN: another protocol. REFUSES: the protocol is known, and its question is refused. NO_DRIVER: what reaches such a device is not installed on this machine.',
);
export type SearchProblem = Static<typeof SearchProblem>;

const candidateFields = {
  line: TerminalLine,
  /** A search without it finds out; a test or an address without it is ZVT's. On USB it is NEO2, whatever stands here. */
  protocol: Type.Optional(TerminalProtocol),
  lrc: Type.Optional(Lrc),
  password: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: "The till's password at a ZVT terminal, six digits." }),
  ),
  currency: Currency,
};

const which = strictObject({ terminalId: TerminalId }, 'Which terminal.');
const whichApproved = strictObject({ terminalId: TerminalId, approval: Type.Optional(Approval) }, 'Which terminal.');
const attached = strictObject({ terminal: TerminalView }, 'The terminal.');
const kept = strictObject({ kept: Type.Array(KeptTerminal) }, 'Every terminal of the settings.');

export const terminalProcedures = {
  /** Asks each idle terminal how it is; session.state and the status_changed events tell what is known without asking. */
  'terminals.list': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject(
      {
        terminals: Type.Array(TerminalView),
        kept: Type.Array(KeptTerminal, { description: 'Those of the settings: they can be renamed and removed.' }),
        isChangedNow: Type.Boolean({ description: 'False: what is added or removed holds from the next start on.' }),
      },
      'Every terminal.',
    ),
  },
  /** Asks one terminal how it is; a line that is down is tried at once. */
  'terminals.probe': { kind: 'COMMAND', roles: everyRole, request: which, response: attached },
  'terminals.testDisplay': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ terminalId: TerminalId, lines: displayFields.lines }, 'What it shows for some seconds.'),
    response: Nothing,
  },
  'terminals.testPrint': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ terminalId: TerminalId, lines: PrintRequest.properties.lines }, 'What it prints.'),
    response: Nothing,
  },
  'terminals.ports': {
    kind: 'LOOK_UP',
    roles: approvingRoles,
    request: Nothing,
    response: strictObject(
      {
        ports: Type.Array(
          strictObject(
            {
              path: Type.String({ description: 'What an address names.' }),
              description: Type.Optional(Type.String({ description: 'Manufacturer and serial number.' })),
              usedBy: Type.Optional(TerminalId),
            },
            'A serial port.',
          ),
        ),
        readers: Type.Array(
          strictObject(
            {
              ...hidFields,
              address: Type.String({ description: 'Its numbers as addresses write them.' }),
              description: Type.Optional(Type.String({ description: 'Maker and model.' })),
              usedBy: Type.Optional(TerminalId),
            },
            'A card reader on USB.',
          ),
        ),
        readersProblem: Type.Optional(
          Type.String({ description: 'Why readers on USB cannot be listed, for support.' }),
        ),
      },
      'Serial ports and USB card readers of this machine.',
    ),
  },
  /** Opens the line and asks questions that move no money; ends within half a minute. A later search of the same browser ends it. */
  'terminals.search': {
    kind: 'COMMAND',
    roles: approvingRoles,
    request: strictObject(candidateFields, 'Where to look.'),
    response: taggedUnion(
      'kind',
      [
        strictObject(
          {
            kind: Type.Literal('FOUND'),
            protocol: TerminalProtocol,
            firmwareVersion: Type.Optional(Type.String({ description: 'Version of its software.' })),
            lrc: Type.Optional(Lrc),
            isUnproven: Type.Optional(
              Type.Boolean({
                description: 'True: something listens there, and more cannot be asked without a payment (Caisse-AP).',
              }),
            ),
          },
          'A terminal answers.',
        ),
        strictObject(
          {
            kind: Type.Literal('NOT_FOUND'),
            problem: SearchProblem,
            words: Type.String({ description: 'The whole sentence, for support.' }),
            holder: Type.Optional(Type.String({ description: 'Program that holds the port.' })),
            command: Type.Optional(Type.String({ description: 'Gives this user the right to the port.' })),
            answeredBy: Type.Optional(Type.String({ description: 'What answered instead of a terminal.' })),
          },
          'None does.',
        ),
        strictObject({ kind: Type.Literal('STOPPED') }, 'Somebody stopped the search.'),
      ],
      'What was found.',
    ),
  },
  'terminals.stopSearch': { kind: 'COMMAND', roles: approvingRoles, request: Nothing, response: Nothing },
  /** Registers and asks for the status, as at each start; no money moves. */
  'terminals.test': {
    kind: 'COMMAND',
    roles: approvingRoles,
    request: strictObject(candidateFields, 'What was found.'),
    response: strictObject(
      {
        isReady: Type.Boolean({ description: 'It took the registration and can work.' }),
        firmwareVersion: Type.Optional(Type.String({ description: 'Version of its software.' })),
        serialNumber: Type.Optional(Type.String({ description: 'Its own number.' })),
        words: Type.Optional(Type.String({ description: "The terminal's own reason when it is not ready." })),
      },
      'How the test went.',
    ),
  },
  'terminals.add': {
    kind: 'COMMAND',
    roles: approvingRoles,
    request: strictObject(
      {
        ...candidateFields,
        name: TerminalName,
        isDefault: Type.Boolean({ description: 'A sale at the console begins with it.' }),
      },
      'A new terminal.',
    ),
    response: strictObject(
      { terminalId: TerminalId, isAttached: Type.Boolean({ description: 'False: used from the next start on.' }) },
      'The new terminal.',
    ),
  },
  'terminals.rename': {
    kind: 'COMMAND',
    roles: approvingRoles,
    request: strictObject({ terminalId: TerminalId, name: TerminalName }, 'Which terminal, and its name.'),
    response: kept,
  },
  'terminals.makeDefault': { kind: 'COMMAND', roles: approvingRoles, request: which, response: kept },
  'terminals.askTip': {
    kind: 'COMMAND',
    roles: approvingRoles,
    request: strictObject(
      { terminalId: TerminalId, asksTip: Type.Boolean({ description: 'At a sale that names no tip.' }) },
      'Which terminal, and whether it asks for a tip.',
    ),
    response: kept,
  },
  'terminals.remove': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: whichApproved,
    response: kept,
  },
} as const satisfies Record<string, Procedure>;
