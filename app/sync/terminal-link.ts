import { type RawData, WebSocket } from 'ws';
import { hostEndpointOf } from '../contract/host/host-endpoints.ts';
import { type LinkAnswer, LinkCall, type LinkEvent, LinkListen, LinkMessage } from '../contract/host/link.ts';
import { parseStrictJson } from '../contract/json.ts';
import type { TransactionEvent } from '../contract/session.ts';
import { validate } from '../contract/validate.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostAccess } from '../ports/host-client.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { createCallAnswers } from './answer-calls.ts';
import { knownFields } from './known-fields.ts';
import { spreadWaitMs } from './retry.ts';
import {
  FIRST_LINK_WAIT_MS,
  LINK_OPEN_MS,
  LINK_SILENCE_MS,
  LONGEST_LINK_WAIT_MS,
  MAX_LINK_MESSAGE_BYTES,
  MAX_LINK_WAITING_BYTES,
} from './sync-limits.ts';

export interface TerminalLinkDeps {
  readonly terminalId: string;
  /** undefined while there is no host for the terminal. */
  access(): Promise<HostAccess | undefined>;
  /** Another text once the terminal has another host, or another token: the link is opened anew with it. */
  epoch(): string;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'randomBytes'>;
  readonly log: Log;
  /** There is something to fetch. */
  onWake(subject: LinkMessage['subject']): void;
  /** A POS calls at the host for this terminal. */
  onCall(call: LinkCall): Promise<Pick<LinkAnswer, 'statusCode' | 'headers' | 'body'>>;
  /** Tells each event of the terminal from now on, until what is returned is called. */
  listen(tell: (event: TransactionEvent) => void): () => void;
}

/** The till's end of the terminal link (decisions: Device additions): it is opened again whenever it is lost, and carries wake-ups, POS calls and events. */
export interface TerminalLink {
  start(): void;
  stop(): void;
  /** Tries at once, unless it is up. */
  retry(): void;
  isUp(): boolean;
}

export function createTerminalLink(deps: TerminalLinkDeps): TerminalLink {
  const { terminalId, clock, ids, log } = deps;
  const answerOf = createCallAnswers(deps);
  let socket: WebSocket | undefined;
  let isStarted = false;
  let isOpening = false;
  let tries = 0;
  let cancelTimer = (): void => undefined;

  function plan(waitMs: number, task: () => void): void {
    cancelTimer();
    cancelTimer = clock.after(waitMs, task);
  }

  async function open(): Promise<void> {
    cancelTimer();
    isOpening = true;
    const epoch = deps.epoch();
    const host = await deps.access().catch(() => undefined);
    isOpening = false;
    if (!isStarted) return;
    if (host === undefined) again();
    else openTo(host, epoch);
  }

  function openTo(host: HostAccess, epoch: string): void {
    const url = `${host.url.replace(/^http/, 'ws')}${hostEndpointOf('device.link').path}`;
    const made = new WebSocket(url, {
      headers: { authorization: `Bearer ${host.deviceToken.reveal()}` },
      handshakeTimeout: LINK_OPEN_MS,
      maxPayload: MAX_LINK_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    socket = made;
    const listening = listeningOn(made);
    let reason = 'it was closed';
    made.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code ?? 'the host refused it';
    });
    made.on('open', () => {
      tries = 0;
      log.info('The link to the host is up.', { terminalId });
      heard(made);
    });
    made.on('ping', () => {
      if (deps.epoch() === epoch) heard(made);
      else made.terminate();
    });
    made.on('message', (data) => {
      heard(made);
      receive(made, listening, data);
    });
    made.on('close', (code: number) => {
      listening(false);
      if (socket !== made) return;
      socket = undefined;
      tryLater(code === ABNORMAL_CLOSE ? reason : `it was closed with ${code}`);
    });
  }

  /** A host that is gone without a word is noticed by its silence. */
  function heard(made: WebSocket): void {
    if (socket === made) plan(LINK_SILENCE_MS, () => made.terminate());
  }

  function tryLater(reason: string): void {
    // The first time, and not at each try of a night without a line.
    if (isStarted && tries === 0) log.warn('The link to the host is down; it is tried again.', { terminalId, reason });
    again();
  }

  function again(): void {
    if (!isStarted) return;
    tries += 1;
    plan(spreadWaitMs(ids, tries, FIRST_LINK_WAIT_MS, LONGEST_LINK_WAIT_MS), () => void open());
  }

  /** Events go over the link that asked for them. One on which they pile up is given up: its host asks for what it has missed. */
  function listeningOn(made: WebSocket): (isWanted: boolean) => void {
    let stop: (() => void) | undefined;
    const tell = (happened: TransactionEvent): void => {
      if (made.readyState !== WebSocket.OPEN) return;
      if (made.bufferedAmount > MAX_LINK_WAITING_BYTES) made.terminate();
      else made.send(JSON.stringify({ event: 'happened', happened } satisfies LinkEvent));
    };
    return (isWanted) => {
      if (isWanted) stop ??= deps.listen(tell);
      else {
        stop?.();
        stop = undefined;
      }
    };
  }

  function receive(made: WebSocket, listening: (isWanted: boolean) => void, data: RawData): void {
    try {
      const document = parseStrictJson(Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer));
      const event = eventOf(document);
      if (event === 'call') void answer(made, validate(LinkCall.properties.callId, callIdOf(document)), document);
      else if (event === 'listen') listening(validate(LinkListen, knownFields(LinkListen, document)).isWanted);
      else deps.onWake(validate(LinkMessage, knownFields(LinkMessage, document)).subject);
    } catch {
      log.debug('The host sent a message that this till does not know.', {});
    }
  }

  /** What cannot be told over the link that asked is told over none: the host has given the call up with that link, and asks by its id. */
  async function answer(made: WebSocket, callId: string, document: unknown): Promise<void> {
    try {
      const told = await answerOf(callId, document);
      if (told === undefined) return;
      const message: LinkAnswer = { event: 'answer', callId, ...told };
      if (made.readyState === WebSocket.OPEN) made.send(JSON.stringify(message));
    } catch (error) {
      log.error('A call over the link was not answered.', { terminalId, requestId: callId, reason: String(error) });
    }
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      void open();
    },
    stop() {
      isStarted = false;
      cancelTimer();
      const last = socket;
      socket = undefined;
      last?.terminate();
    },
    retry() {
      if (!isStarted || isOpening || socket !== undefined) return;
      tries = 0;
      void open();
    },
    isUp: () => socket?.readyState === WebSocket.OPEN,
  };
}

function eventOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'event' in document ? document.event : undefined;
}

function callIdOf(document: unknown): unknown {
  return Object(document).callId;
}

/** Close code of a connection that broke (RFC 6455 section 7.4.1). */
const ABNORMAL_CLOSE = 1006;
