import { createBirpc } from 'birpc';
import { Type } from 'typebox';
import type { ConsoleAnswer, ConsoleClientFunctions } from '../contract/console/channel.ts';
import { refusalOf } from '../contract/console/refusal.ts';
import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { validate } from '../contract/validate.ts';
import type { RunningCalls } from '../http/running-calls.ts';
import type { ConsoleDoor } from './console-door.ts';
import type { ConsoleServerSettings } from './console-options.ts';

/** A call as birpc writes it. Answers to calls of ours do not exist: events are told without waiting. */
const Call = Type.Object(
  {
    t: Type.Literal('q'),
    i: Type.String({ minLength: 1, maxLength: 64 }),
    m: Type.Literal('call'),
    a: Type.Unsafe<[string, unknown]>({
      type: 'array',
      items: [{ type: 'string', maxLength: 64 }, {}],
      minItems: 2,
      maxItems: 2,
      additionalItems: false,
    }),
  },
  { additionalProperties: false },
);

/** A two-way line for texts between one window and the till, whatever carries them. */
export interface TextLink {
  send(text: string): void;
  onText(receive: (text: Uint8Array) => void): void;
  /** Ends the line: what came is not a message of the console. */
  refuse(): void;
}

interface ChannelParts {
  readonly door: ConsoleDoor;
  readonly settings: Pick<ConsoleServerSettings, 'maxRunningCalls'>;
  readonly calls: RunningCalls;
}

/** Connects one window by birpc over JSON texts; returns what ends it. */
export function carryConsole(link: TextLink, cookie: string, parts: ChannelParts): () => void {
  const { door, settings, calls } = parts;
  let running = 0;

  async function call(name: string, request: unknown): Promise<ConsoleAnswer<unknown>> {
    if (calls.isClosing()) return refuse(new BridgeError('TERMINAL_NOT_READY', 'the till is being closed'));
    if (running >= settings.maxRunningCalls) {
      const details = { retryAfterSeconds: 1 };
      return refuse(new BridgeError('RATE_LIMITED', 'too many calls run at once', { details }));
    }
    const end = calls.begin();
    running += 1;
    try {
      return (await connection?.call(name, request)) ?? refuse(new BridgeError('UNAUTHENTICATED', 'not let in'));
    } finally {
      running -= 1;
      end();
    }
  }

  const rpc = createBirpc<ConsoleClientFunctions, { call: typeof call }>(
    { call },
    {
      eventNames: ['event', 'signedOut', 'virtualTerminal'],
      post: (message: string) => link.send(message),
      on: (receive) => link.onText(receive),
      serialize: JSON.stringify,
      deserialize: (data: Uint8Array) => validate(Call, parseStrictJson(data)),
      // Only our own screen speaks here: one message that it would not send ends the connection.
      onGeneralError: () => {
        link.refuse();
        return true;
      },
    },
  );
  const connection = door.connect(cookie, {
    event: (event) => void rpc.event(event),
    signedOut: (reason) => void rpc.signedOut(reason),
    virtualTerminal: (terminalId, view) => void rpc.virtualTerminal(terminalId, view),
  });
  return () => {
    connection?.close();
    rpc.$close();
  };
}

function refuse(error: BridgeError): ConsoleAnswer<unknown> {
  return { ok: false, refusal: refusalOf(error) };
}
