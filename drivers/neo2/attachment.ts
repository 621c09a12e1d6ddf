// The attached reader between payments: what NEO 2 asks of a new connection, and how it is kept alive.
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { type AttachedLine, createAttachedLine } from '../session/attached-line.ts';
import type { LinkFactory } from '../session/link.ts';
import { createConnection, type NeoConnection } from './connection.ts';
import { neo2Limits } from './neo2-limits.ts';
import type { Neo2Settings } from './neo2-settings.ts';
import { createReaderSetUp, ping } from './set-up.ts';

export type Attachment = AttachedLine<NeoConnection>;

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  readonly settings: Neo2Settings;
  /** What the till knows the reader by, where that is a serial number; the protocol tells none. */
  readonly serialNumber?: string;
  readonly createLink: LinkFactory;
  onChange(): void;
}

export function createAttachment(deps: AttachmentDeps): Attachment {
  const { clock, log, terminalId, settings, createLink } = deps;
  const setUpReader = createReaderSetUp();

  const line: Attachment = createAttachedLine({
    clock,
    log,
    terminalId,
    noun: 'reader',
    limits: neo2Limits,
    ...(deps.serialNumber === undefined ? {} : { serialNumber: deps.serialNumber }),
    makeConnection: (events) =>
      createConnection({ ...events, clock, createLink, encryptionExpected: settings.encryption }),
    setUp,
    onHeld: (made) => made.close('the reader is held by a payment that was lost'),
    keepAlive: {
      delayMs: () => neo2Limits.keepAliveMs,
      async ask(made) {
        await ping(made);
      },
    },
    onChange: deps.onChange,
  });

  async function setUp(made: NeoConnection): Promise<void> {
    const told = await setUpReader(made);
    if (told === undefined || !line.isAttached(made)) return;
    if (told.refusal !== undefined) log.warn('reader set-up refused', { terminalId, reason: told.refusal });
    line.learn(made, { isReady: true, firmwareVersion: told.firmwareVersion });
  }

  return line;
}
