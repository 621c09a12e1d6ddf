import type { WebSocket } from '@fastify/websocket';
import type { LinkListen, LinkMessage } from '../../../app/contract/host/link.ts';
import { closeCodes, createSocketLink, type SocketLink } from '../../../app/http/socket-link.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import type { TerminalCalls, TerminalName } from '../../ports/terminal-calls.ts';
import type { TerminalEvents } from '../../ports/terminal-events.ts';
import type { DeviceCaller, HostAdmission } from '../../services/host.ts';
import type { TerminalLinks } from '../../services/host-deps.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createLinkCalls, type LinkCalls } from './link-calls.ts';
import { createLinkEvents, type LinkEvents } from './link-events.ts';
import type { LinkSettings } from './link-settings.ts';
import type { LinkEnd, LinkWatch } from './link-watch.ts';

interface LinkOpening {
  readonly socket: WebSocket;
  readonly caller: DeviceCaller;
  /** Kept in memory, so that the link ends when the token works no more. */
  readonly token: string;
  readonly requestId: string;
  readonly admission: Pick<HostAdmission, 'deviceOf'>;
}

/** The linked terminals of this process. */
export interface TerminalLinkHub extends TerminalLinks, TerminalCalls, TerminalEvents, Pick<LinkEvents, 'listenToAll'> {
  /** Whether this process takes links. */
  canOpen(): boolean;
  open(opening: LinkOpening): void;
  /** Wakes every linked terminal: what it was to be told may have been missed. */
  wakeAll(subject: LinkMessage['subject']): void;
  count(): number;
  /** Closes every link with 1001; resolves when all sockets are gone. */
  closeAll(): Promise<void>;
}

interface OpenLink extends LinkOpening {
  readonly link: SocketLink;
  readonly calls: LinkCalls;
  checkedAtMs: number;
}

interface HubDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly watch?: LinkWatch;
}

const encoder = new TextEncoder();
const refused = { tooMany: 'too many terminals are linked here', revoked: 'the device token works no more' };
const ends = {
  REPLACED: [closeCodes.replaced, 'another link of this terminal was opened'],
  TRY_LATER: [closeCodes.tryLater, 'the terminal cannot be linked now'],
  CUT_OFF: [closeCodes.tryLater, 'this host is cut off from the others'],
} as const satisfies Record<LinkEnd, readonly [number, string]>;

/** One link per terminal; a later one takes its place (decisions: Device additions). */
export function createTerminalLinkHub({ clock, log, watch }: HubDeps, settings: LinkSettings): TerminalLinkHub {
  const sockets = new Set<WebSocket>();
  const links = new Map<string, OpenLink>();
  const events = createLinkEvents((merchantId, isWanted) => {
    for (const { caller, link } of links.values()) if (caller.merchantId === merchantId) sendListen(link, isWanted);
  });
  let isClosing = false;
  let onEmpty: () => void = () => {};
  const heartbeats = createHeartbeats<OpenLink>(clock, settings.pingIntervalMs, (open) => {
    open.link.heartbeat();
    if (clock.monotonicMs() - open.checkedAtMs >= settings.tokenCheckMs) void checkToken(open);
  });

  /** A database that does not answer says nothing about the token: it is asked again. */
  async function checkToken(open: OpenLink): Promise<void> {
    open.checkedAtMs = clock.monotonicMs();
    try {
      const found = await open.admission.deviceOf(open.token);
      if (found === undefined) open.link.close(closeCodes.unauthenticated, refused.revoked);
    } catch (error) {
      log.warn('a token could not be checked', { terminalId: open.caller.terminalId, reason: reasonOf(error) });
    }
  }

  function forget(socket: WebSocket, name: string): void {
    sockets.delete(socket);
    if (links.get(name)?.socket === socket) links.delete(name);
    if (sockets.size === 0) onEmpty();
  }

  return {
    canOpen: () => watch?.canOpen() ?? true,
    open(opening) {
      const { socket, caller, requestId } = opening;
      const name = nameOf(caller);
      const link = createSocketLink(socket, clock, settings);
      const calls = createLinkCalls(link, clock, settings.maxCallsPerLink);
      sockets.add(socket);
      socket.once('close', (code: number) => {
        calls.lose();
        forget(socket, name);
        log.info('link closed', { requestId, terminalId: caller.terminalId, code: String(code) });
      });
      if (isClosing || (sockets.size > settings.maxLinks && !links.has(name))) {
        link.close(closeCodes.tryLater, refused.tooMany);
        return;
      }
      links.get(name)?.link.close(...ends.REPLACED);
      socket.on('message', (message) => {
        const text = String(message);
        // Also an answer that comes after its call was given up; events only of the till that has the terminal now.
        const isKnown = calls.receive(text) || (links.get(name)?.socket === socket && events.receive(caller, text));
        if (!isKnown) log.warn('a message of a till was dropped', { requestId, terminalId: caller.terminalId });
      });
      const open: OpenLink = { ...opening, link, calls, checkedAtMs: clock.monotonicMs() };
      links.set(name, open);
      socket.once('close', heartbeats.add(open));
      const { merchantId, terminalId } = caller;
      const listen = (): void => {
        if (events.isWanted(merchantId)) sendListen(link, true);
      };
      const close = (why: LinkEnd): void => {
        const [code, reason] = ends[why];
        if (why !== 'CUT_OFF' || calls.isIdle()) link.close(code, reason);
      };
      const gone = watch?.opened({ merchantId, terminalId }, { listen, close });
      if (gone !== undefined) socket.once('close', gone);
      log.info('link opened', { requestId, terminalId: caller.terminalId });
      // Whatever was queued before it was linked.
      send(link, 'PAYMENT_SESSION');
      if (watch === undefined) listen();
    },
    wake(terminal, subject) {
      const open = links.get(nameOf(terminal));
      if (open !== undefined) send(open.link, subject);
    },
    async call(terminal, call, timeoutMs) {
      const open = links.get(nameOf(terminal));
      return open === undefined ? { kind: 'NOT_LINKED' } : await open.calls.call(call, timeoutMs);
    },
    listen: events.listen,
    listenToAll: events.listenToAll,
    wakeAll(subject) {
      for (const { link } of links.values()) send(link, subject);
    },
    count: () => links.size,
    closeAll() {
      isClosing = true;
      if (sockets.size === 0) return Promise.resolve();
      const gone = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const { link } of links.values()) link.close(closeCodes.goingAway, 'the host is being stopped');
      return gone;
    },
  };
}

function sendListen(link: SocketLink, isWanted: boolean): void {
  const message: LinkListen = { event: 'listen', isWanted };
  link.send(encoder.encode(JSON.stringify(message)));
}

function send(link: SocketLink, subject: LinkMessage['subject']): void {
  const message: LinkMessage = { event: 'wake', subject };
  link.send(encoder.encode(JSON.stringify(message)));
}

function nameOf({ merchantId, terminalId }: TerminalName): string {
  return JSON.stringify([merchantId, terminalId]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
