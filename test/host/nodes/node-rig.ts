import { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import type { LinkAnswer, LinkCall } from '../../../app/contract/host/link.ts';
import { nodeClock } from '../../../app/programs/node-ports.ts';
import { createLinkLeases, type LinkLeases } from '../../../host/nodes/link-leases.ts';
import { openNatsBus } from '../../../host/nodes/nats-bus.ts';
import type { NodeBus } from '../../../host/nodes/node-bus.ts';
import { createNodePresence, type NodePresence, type PresenceSettings } from '../../../host/nodes/node-presence.ts';
import { routeCalls } from '../../../host/nodes/routed-calls.ts';
import { routeEvents } from '../../../host/nodes/routed-events.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import type { TerminalCalls, TerminalName } from '../../../host/ports/terminal-calls.ts';
import type { TerminalEvents } from '../../../host/ports/terminal-events.ts';
import { defaultLinkSettings } from '../../../host/server/link/link-settings.ts';
import { createTerminalLinkHub, type TerminalLinkHub } from '../../../host/server/link/terminal-link-hub.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { startMs } from '../store-fixture.ts';
import { until } from '../support/until.ts';

/** What a process of the host has for POS calls and events: store, bus, leases, links. */
export interface Node {
  readonly store: HostStore;
  readonly bus: NodeBus;
  readonly presence: NodePresence;
  readonly leases: LinkLeases;
  readonly hub: TerminalLinkHub;
  readonly calls: TerminalCalls;
  readonly events: TerminalEvents;
  close(): Promise<void>;
}

export async function openNode(
  database: string,
  natsUrl: string,
  name: string,
  settings?: PresenceSettings,
): Promise<Node> {
  const parts = { clock: nodeClock, log: quietLog };
  const store = await openHostStore({ database, nowMs: startMs });
  const bus = await openNatsBus({ url: natsUrl, node: name, namespace: 'test', ...parts });
  const presence = createNodePresence({ store, bus, ...parts }, settings);
  const leases = createLinkLeases({ store, bus, presence, ...parts });
  const hub = createTerminalLinkHub({ ...parts, watch: leases }, defaultLinkSettings);
  return {
    ...{ store, bus, presence, leases, hub },
    calls: routeCalls({ hub, bus, store, leases, ...parts }),
    events: routeEvents({ links: hub, bus, leases }),
    async close() {
      await hub.closeAll();
      await presence.stop();
      await leases.stop();
      await bus.close();
      await store.close();
    },
  };
}

/** The far end of a link: what the host has sent over it, and how it was closed. */
export interface LinkedTill {
  readonly calls: readonly LinkCall[];
  closedWith(): number | undefined;
  answer(callId: string, body?: string): void;
  /** Tells an event, if the host has asked for events. */
  happen(sequence: number): void;
  close(): void;
}

/** Links a terminal to a node; resolves once the node holds its lease. */
export async function linkTill(node: Node, { merchantId, terminalId }: TerminalName): Promise<LinkedTill> {
  const socket = new FakeSocket();
  node.hub.open({
    socket: socket as unknown as WebSocket,
    caller: {
      ...{ kind: 'DEVICE', merchantId, terminalId, deviceId: 'D1', currency: 'EUR' },
      businessDay: { timeZone: 'UTC', cutOff: '00:00' },
    },
    token: 'token',
    requestId: 'request',
    admission: { deviceOf: async () => undefined },
  });
  await until(() => node.leases.fenceOf({ merchantId, terminalId }) !== undefined);
  return {
    calls: socket.calls,
    closedWith: () => socket.code,
    answer(callId, body = '{}') {
      const answer: LinkAnswer = { event: 'answer', callId, statusCode: 200, headers: {}, body };
      socket.emit('message', JSON.stringify(answer));
    },
    happen(sequence) {
      if (!socket.isListenedTo) throw new Error('the host has not asked for events');
      socket.emit('message', JSON.stringify({ event: 'happened', happened: { event: 'pin_required', sequence } }));
    },
    close: () => socket.close(1006),
  };
}

/** A socket of which only what a link uses is there. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly bufferedAmount = 0;
  readonly calls: LinkCall[] = [];
  code: number | undefined;
  isListenedTo = false;

  send(data: Uint8Array): void {
    const message = JSON.parse(Buffer.from(data).toString('utf8'));
    if (message.event === 'call') this.calls.push(message);
    if (message.event === 'listen') this.isListenedTo = message.isWanted;
  }

  ping(): void {
    this.emit('pong');
  }

  close(code: number): void {
    if (this.code !== undefined) return;
    this.code = code;
    this.readyState = 3;
    setImmediate(() => this.emit('close', code));
  }

  terminate(): void {
    this.close(1006);
  }
}
