import { type Static, Type } from 'typebox';
import { oneOfStrings, TerminalId, taggedUnion } from '../parts.ts';
import { strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

/** The drawn terminal of training: what a virtual terminal shows, and what a person does to it. The browser never reaches its control interface. */

const MAX_NAME_CHARACTERS = 40;
const Name = Type.String({ pattern: `^[a-z][a-z0-9-]{0,${MAX_NAME_CHARACTERS - 1}}$`, description: 'Name of a card.' });

export const VirtualKey = oneOfStrings(
  ['OK', 'STOP', 'CORR', 'F1', 'F2', 'F3', 'F4', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  'A key of the pad.',
);
export type VirtualKey = Static<typeof VirtualKey>;

/** What the next payment meets: the bank declines with an issuer code, or a fault. */
const VirtualRule = Type.String({
  pattern: '^(decline-[0-9]{2}|[a-z][a-z-]{2,39})$',
  description: 'decline-51, slow, drop-after-host …',
});

/** What happens to the terminal now. */
const VirtualFault = oneOfStrings(
  ['drop', 'unplug', 'reboot', 'out-of-paper', 'paper'],
  'drop: the line for a moment. unplug, reboot: gone for seconds. out-of-paper until paper.',
);

/** A test card: no account stands behind it, and its PIN is written on it. */
export const VirtualCard = strictObject(
  {
    id: Name,
    title: Type.String({ description: 'Name in English.' }),
    scheme: Type.String({ description: 'VISA, MASTERCARD …' }),
    entry: oneOfStrings(['CONTACT', 'CONTACTLESS', 'MAGSTRIPE'], 'How it is read: inserted, tapped or swiped.'),
    verification: Type.String({ description: 'PIN, PIN_ABOVE_LIMIT, SIGNATURE, DEVICE, NONE.' }),
    lastFour: Type.String({ description: 'Last four digits.' }),
    pin: Type.Optional(Type.String({ description: 'PIN of the test card.' })),
  },
  'A test card.',
);
export type VirtualCard = Static<typeof VirtualCard>;

/** What stands in front of the customer now. */
export const VirtualTerminalView = strictObject(
  {
    state: Type.String({ description: 'IDLE, or what it is doing: WAITING_FOR_CARD, WAITING_FOR_PIN …' }),
    display: Type.Array(Type.String(), { description: 'The lines of its display.' }),
    card: Type.Optional(Type.String({ description: 'Name of the card in the slot.' })),
    isCardReaderLit: Type.Boolean({ description: 'A card may come.' }),
    isLinkUp: Type.Boolean({ description: 'A till is connected.' }),
    isInHand: Type.Boolean({ description: 'A person presents cards and types; otherwise the simulated customer.' }),
    isOutOfPaper: Type.Boolean({ description: 'Its printer has no paper.' }),
    armed: Type.Optional(VirtualRule),
    paper: Type.Array(Type.String(), { description: 'The last lines that it printed, the newest last.' }),
  },
  'What a virtual terminal shows.',
);
export type VirtualTerminalView = Static<typeof VirtualTerminalView>;

export const VirtualScript = strictObject(
  {
    rules: Type.Array(VirtualRule, { description: 'What the next payment can meet, besides declines.' }),
    faults: Type.Array(Type.String(), { description: 'What can happen to it now.' }),
    playsIssuer: Type.Boolean({ description: 'Its issuer is its own: it can be told to decline.' }),
  },
  'What a virtual terminal can be told to meet; it depends on its protocol.',
);
export type VirtualScript = Static<typeof VirtualScript>;

export const VirtualAction = taggedUnion(
  'kind',
  [
    strictObject({ kind: Type.Literal('PRESENT_CARD'), card: Name }, 'Inserts, taps or swipes it.'),
    strictObject({ kind: Type.Literal('REMOVE_CARD') }, 'Takes the card out.'),
    strictObject({ kind: Type.Literal('KEY'), key: VirtualKey }, 'Presses a key.'),
    strictObject({ kind: Type.Literal('ARM'), rule: VirtualRule }, 'The next payment meets it.'),
    strictObject({ kind: Type.Literal('DISARM') }, 'The next payment meets nothing special.'),
    strictObject({ kind: Type.Literal('FAULT'), fault: VirtualFault }, 'Happens now.'),
    strictObject(
      { kind: Type.Literal('HAND'), isHeld: Type.Boolean() },
      'A person takes the terminal in hand, or lets go.',
    ),
  ],
  'What a person does to the terminal.',
);
export type VirtualAction = Static<typeof VirtualAction>;

export const virtualProcedures = {
  /** From now on open windows are told every change (`virtualTerminal` of the channel). */
  'virtual.state': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject({ terminalId: TerminalId }, 'Which terminal.'),
    response: strictObject(
      {
        view: Type.Optional(VirtualTerminalView),
        cards: Type.Array(VirtualCard, { description: 'The cards that can be shown to it.' }),
        script: Type.Optional(VirtualScript),
        isAlwaysInHand: Type.Boolean({ description: 'Started to wait for a person: it cannot be let go.' }),
      },
      'Without a view the terminal is no virtual one, or cannot be reached.',
    ),
  },
  'virtual.act': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ terminalId: TerminalId, action: VirtualAction }, 'What is done to which terminal.'),
    response: VirtualTerminalView,
  },
} as const satisfies Record<string, Procedure>;
