import type { TSchema } from 'typebox';
import { namedSchemas } from './named-schemas.ts';
import { POS_API_VERSION } from './openapi.ts';
import { createSchemaWriter, isMap, type Json, type JsonMap, type SchemaWriter } from './schema-document.ts';
import { ClientAction, RefusalEvent, RepeatedResultEvent, TransactionEvent } from './session.ts';

/** A message of the session: its tag value, and the shapes that carry it. */
interface Message {
  readonly name: string;
  readonly shapes: readonly JsonMap[];
}

const introduction = `The WebSocket session of the POS API. The client sends actions, told apart by \`action\`; the service sends events, told apart by \`event\`.

Orchestrated sale: waiting_for_card, card_detected, processing, result; pin_required may follow card_detected. Granular sale: waiting_for_card, card_detected, online_authorization; the POS sends complete; result.

Every event of a terminal carries a rising \`sequence\`. After a reconnect, \`{"action":"replay","after":N}\` brings what was missed.`;

/** The AsyncAPI 3.0 document of /v1/session, made from the session's schemas. */
export function createAsyncApiDocument(): JsonMap {
  const schemas = createSchemaWriter(namedSchemas, 'asyncapi');
  const actions = messagesOf([ClientAction], 'action');
  const events = messagesOf([TransactionEvent, RefusalEvent, RepeatedResultEvent], 'event');
  const security = [{ $ref: '#/components/securitySchemes/apiKey' }, { $ref: '#/components/securitySchemes/bearer' }];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Till Bridge session',
      version: POS_API_VERSION,
      description: introduction,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      till: {
        host: '127.0.0.1:8443',
        protocol: 'ws',
        description: 'The till itself',
        security,
      },
      cloud: {
        host: '{host}',
        protocol: 'wss',
        description:
          'The host, for terminals that are linked to it; `terminalId` is the terminal as the host names it. It closes a session with 1013 when events may have been missed: connect again and replay.',
        variables: { host: { description: 'Name, and port if any, of the host, as its operator gives it.' } },
        security,
      },
    },
    channels: {
      session: {
        address: '/v1/session',
        description: 'The session between a POS and its terminals.',
        messages: references([...actions, ...events], '#/components/messages/'),
      },
    },
    operations: {
      receiveActions: {
        action: 'receive',
        channel: { $ref: '#/channels/session' },
        summary: 'Actions of the client',
        messages: Object.values(references(actions, '#/channels/session/messages/')),
      },
      sendEvents: {
        action: 'send',
        channel: { $ref: '#/channels/session' },
        summary: 'Events of the service',
        messages: Object.values(references(events, '#/channels/session/messages/')),
      },
    },
    components: {
      messages: Object.fromEntries(
        [...actions, ...events].map((message) => [message.name, messageBody(message, schemas)]),
      ),
      schemas: schemas.components(),
      securitySchemes: {
        apiKey: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key', description: 'The POS key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The POS key as a bearer token.' },
      },
    },
  };
}

function messagesOf(schemas: readonly TSchema[], tag: string): Message[] {
  const shapes = schemas.flatMap((schema): JsonMap[] => {
    const plain: Json = JSON.parse(JSON.stringify(schema));
    if (!isMap(plain)) return [];
    const branches = plain.oneOf;
    return Array.isArray(branches) ? branches.filter(isMap) : [plain];
  });
  const byName = new Map<string, JsonMap[]>();
  for (const shape of shapes) {
    const properties = isMap(shape.properties) ? shape.properties : {};
    const property = properties[tag];
    const name = isMap(property) ? String(property.const) : '';
    byName.set(name, [...(byName.get(name) ?? []), shape]);
  }
  return [...byName].map(([name, found]) => ({ name, shapes: found }));
}

function references(messages: readonly Message[], prefix: string): Record<string, Json> {
  return Object.fromEntries(messages.map(({ name }) => [name, { $ref: `${prefix}${name}` }]));
}

function messageBody({ name, shapes }: Message, schemas: SchemaWriter): JsonMap {
  const payloads = shapes.map((shape) => schemas.reference(shape));
  const [first = {}] = payloads;
  return {
    name,
    title: name,
    summary: shapes.map((shape) => String(shape.description)).join(' '),
    payload: payloads.length === 1 ? first : { type: 'object', oneOf: payloads },
  };
}
