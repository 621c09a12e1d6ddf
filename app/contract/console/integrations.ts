import { type Static, Type } from 'typebox';
import { dateTime, PosClientName, text } from '../parts.ts';
import { MAX_ALLOWED_ORIGINS, MAX_LISTED_REQUESTS } from './console-limits.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

/** A POS client. Its key is stored as a hash only, and shown nowhere but in the answer that made it. */
export const ClientView = strictObject(
  {
    clientId: Type.String({ description: 'Identifier.' }),
    name: PosClientName,
    createdAt: dateTime('When it was made, ISO 8601.'),
    lastUsedAt: Type.Optional(dateTime('When it called last, ISO 8601; over a restart to the minute.')),
    revokedAt: Type.Optional(dateTime('When its key was taken out of force, ISO 8601.')),
    earlierKeyUntil: Type.Optional(dateTime('Until when the key before works beside the new one, ISO 8601.')),
    trainingOnly: Type.Boolean({ description: 'Valid in training only.' }),
    isOfHost: Type.Boolean({ description: 'Made at the host, and changed there.' }),
  },
  'A POS client.',
);
export type ClientView = Static<typeof ClientView>;

const approval = Type.Optional(Approval);
const named = strictObject({ name: PosClientName, approval }, 'Which client.');

/** A key, shown this once. */
const IssuedKey = strictObject(
  { client: ClientView, key: Type.String({ description: 'Shown this once.' }) },
  'A client and its key. The name of a revoked client gives the same client a new key.',
);

/** Text of an origin, as a person types it: what it means is for `readOrigin` to say. */
const OriginText = text(200, 'Origin of a web page, https://pos.example or http://localhost:5173.');
const Origins = strictObject(
  { origins: Type.Array(Type.String(), { maxItems: MAX_ALLOWED_ORIGINS }) },
  'The origins that may call from a browser.',
);

/** One request to the POS API, or one action of a session, without anything that its caller wrote but its id and origin. */
export const RequestView = strictObject(
  {
    sequence: Type.Integer({ minimum: 1, description: 'Rises by one with each request.' }),
    at: dateTime('When it was answered, ISO 8601.'),
    method: Type.String({ description: 'Of HTTP; WS for an action of a session.' }),
    path: Type.Optional(
      Type.String({ description: 'The path, or the action, as the API page writes it; absent for one that is none.' }),
    ),
    clientName: Type.Optional(Type.String()),
    statusCode: Type.Integer(),
    errorCode: Type.Optional(Type.String({ description: 'Code of the catalogue.' })),
    durationMs: Type.Integer({ minimum: 0 }),
    requestId: Type.String(),
    origin: Type.Optional(Type.String()),
  },
  'A request to the POS API.',
);
export type RequestView = Static<typeof RequestView>;

/** How the till itself answers a request like the page's. */
const ProbeView = strictObject(
  {
    statusCode: Type.Optional(Type.Integer({ description: 'Absent: no answer.' })),
    errorCode: Type.Optional(Type.String()),
  },
  'Answer to a try.',
);
export type ProbeView = Static<typeof ProbeView>;

/** What the till can tell about a web page that is to call it. */
export const Diagnosis = strictObject(
  {
    tillTime: dateTime("The till's clock, ISO 8601."),
    port: strictObject(
      {
        own: Type.Integer({ description: 'The port that this till has.' }),
        called: Type.Integer({ description: 'The port that the page calls.' }),
        holder: Type.Optional(
          Type.String({ description: 'Who has the called port, where it is not this till and can be seen.' }),
        ),
      },
      'The port.',
    ),
    isEncryptedAddress: Type.Boolean({ description: 'The page calls https, which this till does not speak.' }),
    host: ProbeView,
    origin: Type.Optional(strictObject({ origin: Type.String(), isAllowed: Type.Boolean() }, 'The page.')),
    preflight: Type.Optional(ProbeView),
    webSocket: Type.Optional(ProbeView),
    lastSeen: Type.Optional(RequestView),
  },
  'What the till can tell.',
);
export type Diagnosis = Static<typeof Diagnosis>;

export const integrationProcedures = {
  'integrations.overview': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject(
      {
        posUrl: Type.String({ description: 'Address of the POS API, http://127.0.0.1:8443.' }),
        terminals: Type.Array(strictObject({ terminalId: Type.String(), currency: Type.String() }, 'A terminal.')),
      },
      'What a POS needs to know to begin.',
    ),
  },
  'integrations.clients.list': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ clients: Type.Array(ClientView) }, 'Every client, oldest first.'),
  },
  'integrations.clients.create': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: named,
    response: IssuedKey,
  },
  'integrations.clients.rename': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ name: PosClientName, newName: PosClientName, approval }, 'Which client, and its new name.'),
    response: ClientView,
  },
  'integrations.clients.rotate': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject(
      {
        name: PosClientName,
        graceSeconds: Type.Union([Type.Literal(0), Type.Literal(3_600), Type.Literal(86_400)], {
          description: 'Seconds for which the key before works on. Not at all, an hour, a day.',
        }),
        approval,
      },
      'Which client, and how long its key before works on.',
    ),
    response: IssuedKey,
  },
  'integrations.clients.revoke': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: named,
    response: ClientView,
  },
  'integrations.origins.list': { kind: 'LOOK_UP', roles: everyRole, request: Nothing, response: Origins },
  'integrations.origins.allow': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ origin: OriginText, approval }, 'Which origin.'),
    response: Origins,
  },
  'integrations.origins.remove': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ origin: OriginText, approval }, 'Which origin.'),
    response: Origins,
  },
  'integrations.requests': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(
      {
        after: Type.Integer({ minimum: 0, description: 'Sequence of the last one known; 0 for all.' }),
        listId: Type.Optional(text(100, 'The list that the sequence belongs to, as it was answered with it.')),
      },
      'From where.',
    ),
    response: strictObject(
      {
        listId: Type.String({
          description: 'Another one after each start of the till: what was known before is over.',
        }),
        requests: Type.Array(RequestView, { maxItems: MAX_LISTED_REQUESTS }),
      },
      'Requests after that, oldest first, as far as they are still kept; all of them where the list is another one.',
    ),
  },
  'integrations.diagnose': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: strictObject(
      {
        origin: Type.Optional(OriginText),
        address: Type.Optional(text(200, "Address that the page calls; the till's own when absent.")),
      },
      'Which page, and what it calls.',
    ),
    response: Diagnosis,
  },
} as const satisfies Record<string, Procedure>;
