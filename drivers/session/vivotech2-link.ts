// Whole NEO 2 frames over a line: in HID reports, or one after the other on a serial line.
import type { Clock } from '../../app/ports/clock.ts';
import { encodeVivotech2Frame, type ReadFrame } from '../framing/vivotech2-frame.ts';
import { decodeReport, encodeReports, INITIAL_REPORT_STATE, type ReportItem } from '../framing/vivotech2-reports.ts';
import {
  decodeVivotech2,
  giveUpVivotech2,
  INITIAL_VIVOTECH2_STATE,
  isReceivingVivotech2,
  MAX_VIVOTECH2_SILENCE_MS,
  type Vivotech2Item,
} from '../framing/vivotech2-stream.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import type { Link, LinkFactory, LinkListeners } from './link.ts';

/** What came over the line: a frame whose checksum fits, or bytes that are told and skipped. */
type Received = ReadFrame | { readonly what: string; readonly byteCount: number };

/** How frames travel on one kind of line. */
interface Cutter {
  /** What is written for a frame, in this order. */
  cut(frame: Uint8Array): readonly Uint8Array[];
  take(bytes: Uint8Array): readonly Received[];
  /** True within a frame: the time in which MAX_VIVOTECH2_SILENCE_MS runs. */
  isReceiving(): boolean;
  giveUp(): readonly Received[];
}

/** Messages that come while the line is being opened; the reader speaks first only to say that it woke up. */
const MAX_EARLY_MESSAGES = 32;

/** Frames over HID: one `onData` of the transport is one report. */
export function reportLinks(createTransport: TransportFactory, clock: Clock): LinkFactory {
  return (listeners) => createVivotech2Link(createTransport, clock, createReportCutter(), listeners);
}

/** Frames on a serial line, in any chunking. */
export function frameLinks(createTransport: TransportFactory, clock: Clock): LinkFactory {
  return (listeners) => createVivotech2Link(createTransport, clock, createStreamCutter(), listeners);
}

function createVivotech2Link(
  createTransport: TransportFactory,
  clock: Clock,
  cutter: Cutter,
  listeners: LinkListeners,
): Link {
  let state: 'NEW' | 'OPEN' | 'CLOSED' = 'NEW';
  let wasOpen = false;
  let downReason: string | undefined;
  let early: Uint8Array[] = [];
  let stopSilenceTimer = (): void => undefined;
  /** Frames follow one another; the reports of two are never mixed. */
  let lastSend: Promise<unknown> = Promise.resolve();

  const transport = createTransport({
    onData(bytes) {
      if (state === 'CLOSED') return;
      stopSilenceTimer();
      deliver(cutter.take(bytes));
      if (cutter.isReceiving() && !isClosed())
        stopSilenceTimer = clock.after(MAX_VIVOTECH2_SILENCE_MS, () => deliver(cutter.giveUp()));
    },
    onClose(reason) {
      end();
      if (wasOpen) listeners.onDown(downReason ?? reason);
    },
  });

  const isClosed = (): boolean => state === 'CLOSED';

  function deliver(received: readonly Received[]): void {
    for (const item of received) {
      if (state === 'CLOSED') return;
      if ('what' in item) listeners.onReport(item.what, item.byteCount);
      else hand(encodeVivotech2Frame(item.frame, item.crcOrder));
    }
  }

  function hand(message: Uint8Array): void {
    if (state === 'OPEN') listeners.onMessage(message);
    else if (early.length < MAX_EARLY_MESSAGES) early.push(message);
    else listeners.onReport('a message while the line was being opened', message.length);
  }

  function end(): void {
    state = 'CLOSED';
    stopSilenceTimer();
    early = [];
  }

  async function close(reason?: string): Promise<void> {
    end();
    downReason ??= reason;
    await transport.close();
  }

  async function sendNow(message: Uint8Array): Promise<'DELIVERED'> {
    for (const [index, piece] of cutter.cut(message).entries()) {
      if (state !== 'OPEN') throw closedError(index === 0 ? 'nothing was sent' : 'the command was cut off');
      try {
        await transport.write(piece);
      } catch (error) {
        await close('a write failed');
        throw error;
      }
    }
    return 'DELIVERED';
  }

  function closedError(what: string): TransportError {
    return new TransportError('CLOSED', `${transport.description} is not open; ${what}.`);
  }

  return {
    description: transport.description,
    isOpen: () => state === 'OPEN',
    async open(signal) {
      await transport.open(signal);
      // It may have been lost again before anybody heard that it was open.
      if (isClosed()) throw closedError('it was lost at once');
      state = 'OPEN';
      wasOpen = true;
      for (const message of early.splice(0)) if (state === 'OPEN') listeners.onMessage(message);
    },
    send(message) {
      if (state !== 'OPEN') return Promise.reject(closedError('nothing was sent'));
      const sent = lastSend.then(() => sendNow(message));
      lastSend = sent.catch(() => undefined);
      return sent;
    },
    close,
  };
}

function createReportCutter(): Cutter {
  let state = INITIAL_REPORT_STATE;
  const openBytes = (): number => state.open?.length ?? 0;
  return {
    cut: encodeReports,
    take(report) {
      const byteCount = openBytes() + report.length;
      const step = decodeReport(state, report);
      state = step.state;
      return step.items.map((item) => fromReport(item, byteCount));
    },
    isReceiving: () => state.open !== undefined,
    giveUp() {
      const byteCount = openBytes();
      state = INITIAL_REPORT_STATE;
      return [{ what: 'a frame whose end did not come', byteCount }];
    },
  };
}

function fromReport(item: ReportItem, byteCount: number): Received {
  if (item.type === 'frame') return item;
  return { what: item.type === 'fault' ? faults[item.reason] : 'a report that belongs to no frame', byteCount };
}

function createStreamCutter(): Cutter {
  let state = INITIAL_VIVOTECH2_STATE;
  const after = (step: ReturnType<typeof decodeVivotech2>): readonly Received[] => {
    state = step.state;
    return step.items.map(fromStream);
  };
  return {
    cut: (frame) => [frame],
    take: (bytes) => after(decodeVivotech2(state, bytes)),
    isReceiving: () => isReceivingVivotech2(state),
    giveUp: () => after(giveUpVivotech2(state)),
  };
}

function fromStream(item: Vivotech2Item): Received {
  if (item.type === 'frame') return item;
  if (item.type === 'fault') return { what: faults[item.reason], byteCount: item.discardedByteCount };
  return { what: 'bytes that are no message', byteCount: item.bytes.length };
}

const faults = {
  'bad-crc': 'a frame with a wrong checksum',
  length: 'a frame whose length is wrong',
  'too-long': 'a frame that says to be too long',
  incomplete: 'a frame whose end did not come',
  interrupted: 'a frame that another one interrupted',
} as const;
