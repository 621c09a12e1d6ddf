import { type Static, Type } from 'typebox';
import {
  DEFAULT_INPUT_TIMEOUT_MS,
  MAX_DISPLAY_DURATION_MS,
  MAX_DISPLAY_LINE_CHARACTERS,
  MAX_DISPLAY_LINES,
  MAX_INPUT_CHARACTERS,
  MAX_INPUT_OPTIONS,
  MAX_INPUT_TIMEOUT_MS,
  MAX_PRINT_LINE_CHARACTERS,
  MAX_PRINT_LINES,
  MAX_PROMPT_CHARACTERS,
  MIN_INPUT_OPTIONS,
  MIN_INPUT_TIMEOUT_MS,
} from './limits.ts';
import { dateTime, oneOfStrings, openEnum, TransactionId, text } from './parts.ts';

const strict = { additionalProperties: false } as const;

export const ConnectivityMethod = openEnum(
  ['WIFI', 'ETHERNET', 'CELLULAR', 'USB', 'SERIAL', 'BLUETOOTH'],
  'How the terminal is connected.',
);
export type ConnectivityMethod = Static<typeof ConnectivityMethod>;

export const DeviceState = oneOfStrings(
  ['DISCONNECTED', 'CONNECTING', 'IDLE', 'BUSY', 'UPDATING', 'ERROR'],
  'State of the terminal; IDLE and BUSY answer 200, the others 503.',
);
export type DeviceState = Static<typeof DeviceState>;

/** Answer of GET /v1/device/health (specification: DeviceStatus; decisions: Health). */
export const DeviceStatus = Type.Object(
  {
    connected: Type.Boolean({ description: 'Whether the terminal answers.' }),
    terminalId: Type.String({ description: 'Identifier of the terminal.' }),
    state: DeviceState,
    serialNumber: Type.Optional(Type.String({ description: 'Serial number of the device.' })),
    firmwareVersion: Type.Optional(Type.String({ description: 'Version of its software.' })),
    batteryLevel: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent; absent on mains.' })),
    connectivity: Type.Optional(
      Type.Object(
        {
          method: Type.Optional(ConnectivityMethod),
          signalStrength: Type.Optional(Type.Integer({ description: 'dBm.' })),
          networkName: Type.Optional(Type.String({ description: 'Name of the network.' })),
        },
        { ...strict, description: 'How the terminal is connected.' },
      ),
    ),
    lastTransactionTime: Type.Optional(dateTime('End of the last transaction, ISO 8601.')),
    uptime: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds since the device started.' })),
    currentTransactionId: Type.Optional(TransactionId),
    lastSeenAt: Type.Optional(dateTime('Last sign of life of the terminal, ISO 8601.')),
  },
  { ...strict, description: 'State of a terminal.' },
);
export type DeviceStatus = Static<typeof DeviceStatus>;

/** Fields of a display request, of REST and of the WebSocket action alike (decisions: display / input). */
export const displayFields = {
  lines: Type.Array(Type.String({ maxLength: MAX_DISPLAY_LINE_CHARACTERS }), {
    minItems: 1,
    maxItems: MAX_DISPLAY_LINES,
    description: `1 to ${MAX_DISPLAY_LINES} lines of at most ${MAX_DISPLAY_LINE_CHARACTERS} characters.`,
  }),
  duration: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DISPLAY_DURATION_MS,
      default: 0,
      description: 'Milliseconds; 0 means until replaced.',
    }),
  ),
  clearPrevious: Type.Optional(Type.Boolean({ description: 'Whether what stands there is cleared first.' })),
};

export const DisplayRequest = Type.Object(displayFields, {
  ...strict,
  description: "Text for the terminal's display. A text that asks for a card number or PIN is refused.",
});
export type DisplayRequest = Static<typeof DisplayRequest>;

export const InputType = oneOfStrings(
  ['CONFIRM', 'MENU', 'DIGITS', 'DECIMAL', 'TEXT', 'PHONE', 'EMAIL', 'SIGNATURE'],
  'What is asked for. MENU needs options.',
);
export type InputType = Static<typeof InputType>;

/** Fields of an input request, of REST and of the WebSocket action alike (decisions: display / input). */
export const inputFields = {
  prompt: text(MAX_PROMPT_CHARACTERS, 'What the terminal asks. A prompt for a card number or PIN is refused.'),
  inputType: InputType,
  options: Type.Optional(
    Type.Array(text(MAX_DISPLAY_LINE_CHARACTERS, 'One choice.'), {
      minItems: MIN_INPUT_OPTIONS,
      maxItems: MAX_INPUT_OPTIONS,
      description: `${MIN_INPUT_OPTIONS} to ${MAX_INPUT_OPTIONS} choices, for MENU only.`,
    }),
  ),
  minLength: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_INPUT_CHARACTERS, description: 'Fewest characters accepted.' }),
  ),
  maxLength: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_INPUT_CHARACTERS, description: 'Most characters accepted.' }),
  ),
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: MIN_INPUT_TIMEOUT_MS,
      maximum: MAX_INPUT_TIMEOUT_MS,
      default: DEFAULT_INPUT_TIMEOUT_MS,
      description: 'Milliseconds to wait for the answer.',
    }),
  ),
};

export const InputRequest = Type.Object(inputFields, {
  ...strict,
  description: 'A question to the person at the terminal.',
});
export type InputRequest = Static<typeof InputRequest>;

export const InputResult = Type.Object(
  {
    status: oneOfStrings(['ENTERED', 'CANCELLED', 'TIMEOUT'], 'How the input ended.'),
    value: Type.Optional(
      Type.String({
        description:
          'What was entered: text or digits; yes or no for CONFIRM; the chosen option for MENU; a base64 image for SIGNATURE.',
      }),
    ),
    optionIndex: Type.Optional(Type.Integer({ minimum: 0, description: 'Index of the chosen option, for MENU.' })),
  },
  { ...strict, description: 'What the person at the terminal entered.' },
);
export type InputResult = Static<typeof InputResult>;

export const PrintRequest = Type.Object(
  {
    lines: Type.Array(Type.String({ maxLength: MAX_PRINT_LINE_CHARACTERS }), {
      minItems: 1,
      maxItems: MAX_PRINT_LINES,
      description: `1 to ${MAX_PRINT_LINES} lines of at most ${MAX_PRINT_LINE_CHARACTERS} characters.`,
    }),
  },
  { ...strict, description: "Lines for the terminal's own printer." },
);
export type PrintRequest = Static<typeof PrintRequest>;

/** Answer of display and print. */
export const DeviceAcknowledgement = Type.Object(
  { accepted: Type.Literal(true, { description: 'The terminal has taken it.' }) },
  { ...strict, description: 'The terminal has taken what was sent.' },
);
export type DeviceAcknowledgement = Static<typeof DeviceAcknowledgement>;
