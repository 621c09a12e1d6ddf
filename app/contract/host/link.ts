import { type Static, Type } from 'typebox';
import { MAX_BODY_BYTES, MAX_ID_CHARACTERS, MAX_REQUEST_ID_CHARACTERS } from '../limits.ts';
import { oneOfStrings, text } from '../parts.ts';
import { MAX_LINK_PATH_CHARACTERS } from './host-limits.ts';
import { strict } from './host-parts.ts';

/**
 * What the host sends over GET /api/v1/terminal/link (decisions: Device additions): there is something to fetch. It carries no facts, so that a
 * wake-up that is lost, doubled or late changes nothing but the time.
 */
export const LinkMessage = Type.Object(
  {
    event: Type.Literal('wake', { description: 'There is something to fetch.' }),
    subject: oneOfStrings(
      ['PAYMENT_SESSION', 'CONFIGURATION'],
      'PAYMENT_SESSION: claim the session that waits. CONFIGURATION: read the configuration again.',
    ),
  },
  { ...strict, description: 'A message of the link, from the host to the device.' },
);
export type LinkMessage = Static<typeof LinkMessage>;

const Id = Type.String({ minLength: 1, maxLength: MAX_ID_CHARACTERS });

/** A POS call that the host passes to the till which holds the terminal (decisions: Cloud POS). The link names the terminal. */
export const LinkCall = Type.Object(
  {
    event: Type.Literal('call'),
    callId: Id,
    terminalId: Type.Optional({ ...Id, description: 'Of the terminal, as the host names it: so do the answers.' }),
    clientId: Id,
    clientName: Type.String({ minLength: 1, maxLength: 64 }),
    method: oneOfStrings(['GET', 'POST'], 'As the POS called the host.'),
    path: Type.String({ pattern: '^/v1/', maxLength: MAX_LINK_PATH_CHARACTERS, description: 'Path with its query.' }),
    idempotencyKey: Type.Optional(Type.String({ maxLength: 255 })),
    timeoutSeconds: Type.Optional(Type.String({ maxLength: 8 })),
    body: Type.Optional(Type.String({ maxLength: MAX_BODY_BYTES, description: 'The JSON text as the POS sent it.' })),
    eventRequestId: Type.Optional(
      text(MAX_REQUEST_ID_CHARACTERS, 'Echoed in the events of what the call starts: a WebSocket action names it.'),
    ),
    transactionId: Type.Optional({
      ...Id,
      description: 'Of the transaction that the call starts, chosen by the host.',
    }),
  },
  { ...strict, description: 'A POS call over the link, from the host to the device. It is sent once.' },
);
export type LinkCall = Static<typeof LinkCall>;

/** Whether clients of the host listen to the terminal of the link; it is asked for again on each new link. */
export const LinkListen = Type.Object(
  {
    event: Type.Literal('listen'),
    isWanted: Type.Boolean({ description: 'True: tell each event of the terminal from now on. False: tell none.' }),
  },
  { ...strict, description: 'A message of the link, from the host to the device.' },
);
export type LinkListen = Static<typeof LinkListen>;

/** An event of the terminal, for the WebSocket sessions of the host's clients (decisions: Cloud POS, Events). */
export const LinkEvent = Type.Object(
  {
    event: Type.Literal('happened'),
    happened: Type.Object(
      { event: Type.String(), sequence: Type.Integer({ minimum: 1 }) },
      { additionalProperties: true, description: "The event as the till's own sessions get it." },
    ),
  },
  { ...strict, description: 'An event of the terminal, from the device to the host.' },
);
export type LinkEvent = Static<typeof LinkEvent>;

/** What the till answers to a call that came over the link. */
export const LinkAnswer = Type.Object(
  {
    event: Type.Literal('answer'),
    callId: Id,
    statusCode: Type.Integer({ minimum: 200, maximum: 599 }),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
  },
  { ...strict, description: 'The answer to a call over the link, from the device to the host.' },
);
export type LinkAnswer = Static<typeof LinkAnswer>;
