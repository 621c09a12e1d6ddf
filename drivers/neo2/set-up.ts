// What a new connection begins with: is anybody there, is he at rest, who is he, and how he is to answer.
import type { NeoCommand } from './codec/command-types.ts';
import { STATUS_OK, statusMeaning } from './codec/status-codes.ts';
import { clearTag } from './codec/tlv.ts';
import type { CommandEnd, NeoConnection } from './connection.ts';

/** FFF7 00: no data unasked (burst mode off). DFED59 00: 63 comes first, so that a late answer can be told from the one that is awaited. */
const configuration: NeoCommand & { readonly type: 'set-configuration' } = {
  type: 'set-configuration',
  tags: [clearTag('FFF7', Uint8Array.of(0)), clearTag('DFED59', Uint8Array.of(0))],
};

interface SetUp {
  readonly firmwareVersion?: string;
  /** What it refused of its set-up, as a sentence; it works all the same. */
  readonly refusal?: string;
}

/** Whether the reader answers. One that is silent loses its connection by that. */
export async function ping(connection: NeoConnection): Promise<boolean> {
  const answer = await connection.ask({ type: 'ping' });
  if (answer.kind === 'ANSWERED') return true;
  // It took the cancellation, but not the ping: nothing that it says now can be trusted.
  if (answer.kind === 'SILENT') await connection.close('the reader does not answer');
  return false;
}

/** Sets a reader up whose connection is new; undefined when the connection did not last. */
type ReaderSetUp = (connection: NeoConnection) => Promise<SetUp | undefined>;

/**
 * The set-up of one line. What a connection has shown of the reader's first responses is presumed of the next one, so that its first payment
 * notices a silent reader, too. Another reader is told by its firmware; with the same firmware and configuration it answers alike.
 */
export function createReaderSetUp(): ReaderSetUp {
  let before: { readonly firmwareVersion: string; readonly connection: NeoConnection } | undefined;
  return async (connection) => {
    const told = await setUpReader(connection);
    const firmwareVersion = told?.firmwareVersion;
    if (firmwareVersion === undefined || told?.refusal !== undefined) return told;
    if (before?.firmwareVersion === firmwareVersion) connection.presume(before.connection.firstResponses());
    before = { firmwareVersion, connection };
    return told;
  };
}

async function setUpReader(connection: NeoConnection): Promise<SetUp | undefined> {
  if (!(await ping(connection))) return undefined;
  // Whatever was under way when an earlier connection was lost.
  if ((await connection.cancel()) === 'LOST') return undefined;
  const firmwareVersion = firmwareOf(await connection.ask({ type: 'get-firmware' }));
  const refusal = refusalOf(await connection.ask(configuration));
  if (!connection.isOpen()) return undefined;
  return {
    ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function firmwareOf(answer: CommandEnd): string | undefined {
  if (answer.kind !== 'ANSWERED' || answer.message.type !== 'firmware') return undefined;
  const text = answer.message.text.replace(/[^\x20-\x7e]/g, '').trim();
  return text === '' ? undefined : text;
}

function refusalOf(answer: CommandEnd): string | undefined {
  if (answer.kind !== 'ANSWERED') return 'The reader did not answer its configuration.';
  const { message } = answer;
  if ('status' in message && message.status === STATUS_OK) return undefined;
  return 'status' in message
    ? statusMeaning(message.status).meaning
    : 'The answer to the configuration makes no sense.';
}
