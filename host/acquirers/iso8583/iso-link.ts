import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import { createAcquirerLine, type LineAddress } from '../line/acquirer-line.ts';
import { decodeMessage, encodeFrame, type IsoMessage, renderForLog, textOf } from './codec.ts';
import { DE } from './fields.ts';
import { createFrameReader } from './frames.ts';
import { digits, networkMessage, transmissionTime } from './messages.ts';

const SIGN_ON = '001';
const SIGN_OFF = '002';
const ECHO = '301';
const MAX_STAN = 999_999;
/** Time for the answer to a sign-on or an echo; then the line is made anew. */
const NETWORK_TIMEOUT_MS = 10_000;
/** Silence after which the acquirer is asked whether it is still there. */
const ECHO_INTERVAL_MS = 60_000;

interface LinkDeps {
  readonly address: LineAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** A message that is no network management. */
  readonly onMessage: (message: IsoMessage) => void;
  readonly onLost: () => void;
}

export interface IsoLink {
  start(): void;
  stop(): Promise<void>;
  /** Whether the acquirer has accepted the sign-on. */
  isReady(): boolean;
  /**
   * Sends a message, and fills its bytes with zeros once they are gone. False when nothing of it has left.
   * @throws RangeError naming the field that does not fit; nothing has left then
   */
  send(message: IsoMessage): boolean;
}

/** A connection that signs on by itself, asks for an echo when nobody has spoken for a while, and answers the acquirer's own echoes. */
export function createIsoLink({ address, clock, log, onMessage, onLost }: LinkDeps): IsoLink {
  let isSignedOn = false;
  let networkStan = 0;
  let awaited: { readonly stan: string; readonly code: string } | undefined;
  let cancelTimer = () => {};
  const frames = createFrameReader();

  const put = (message: IsoMessage): boolean => {
    const frame = encodeFrame(message);
    const wipe = () => frame.fill(0);
    const isTaken = line.write(frame, wipe);
    if (!isTaken) wipe();
    else log.debug('sent', { protocol: 'iso8583', command: message.mti, reason: renderForLog(message) });
    return isTaken;
  };
  const ask = (code: string) => {
    networkStan = (networkStan % MAX_STAN) + 1;
    awaited = { stan: digits(networkStan, 6), code };
    put(networkMessage('0800', { stan: awaited.stan, time: transmissionTime(clock.nowMs()), code }));
    cancelTimer();
    cancelTimer = clock.after(NETWORK_TIMEOUT_MS, () => line.reset(`no answer to network message ${code}`));
  };
  /** Only silence is broken by an echo. */
  const awaitSilence = () => {
    cancelTimer();
    cancelTimer = clock.after(ECHO_INTERVAL_MS, () => ask(ECHO));
  };
  const answered = (message: IsoMessage) => {
    if (awaited === undefined || textOf(message, DE.stan) !== awaited.stan) {
      log.warn('an answer to no network message', { protocol: 'iso8583', reason: renderForLog(message) });
      return;
    }
    const { code } = awaited;
    const responseCode = textOf(message, DE.responseCode) ?? '';
    if (responseCode !== '00') {
      log.error('the acquirer refuses', { protocol: 'iso8583', command: code, code: responseCode });
      line.reset(`network message ${code} was refused with ${responseCode}`);
      return;
    }
    awaited = undefined;
    if (code === SIGN_ON) {
      isSignedOn = true;
      line.markSound();
      log.info('signed on to the acquirer', { protocol: 'iso8583', port: address.port });
    }
    awaitSilence();
  };
  const serve = (message: IsoMessage) => {
    const stan = textOf(message, DE.stan);
    const time = textOf(message, DE.transmissionTime);
    const code = textOf(message, DE.networkCode);
    if (stan === undefined || time === undefined || code === undefined) return;
    put(networkMessage('0810', { stan, time, code, responseCode: '00' }));
    // The acquirer ends the day's connection: it wants a new sign-on.
    if (code === SIGN_OFF) line.reset('the acquirer has signed off');
  };
  const receive = (frame: Buffer) => {
    const decoded = decodeMessage(frame);
    frame.fill(0);
    if (!decoded.ok) {
      log.error(`a message cannot be read: ${decoded.problem}`, { protocol: 'iso8583', byteCount: frame.length });
      return;
    }
    const { message } = decoded;
    log.debug('received', { protocol: 'iso8583', command: message.mti, reason: renderForLog(message) });
    if (message.mti === '0810') answered(message);
    else if (message.mti === '0800') serve(message);
    else onMessage(message);
  };

  const line = createAcquirerLine(address, clock, {
    onOpen: () => {
      frames.reset();
      ask(SIGN_ON);
    },
    onBytes: (bytes) => {
      if (isSignedOn && awaited === undefined) awaitSilence();
      const { frames: complete, isBroken } = frames.push(bytes);
      for (const frame of complete) receive(frame);
      if (!isBroken) return;
      log.error('a length that no message has', { protocol: 'iso8583' });
      line.reset('a length that no message has');
    },
    onClosed: (reason) => {
      cancelTimer();
      isSignedOn = false;
      awaited = undefined;
      log.warn('the line to the acquirer is lost', { protocol: 'iso8583', reason });
      onLost();
    },
  });

  return {
    start: line.start,
    async stop() {
      if (isSignedOn) ask(SIGN_OFF);
      cancelTimer();
      isSignedOn = false;
      await line.stop();
    },
    isReady: () => isSignedOn && line.isOpen(),
    send: (message) => isSignedOn && put(message),
  };
}
