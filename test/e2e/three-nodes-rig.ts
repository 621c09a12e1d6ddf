import { join } from 'node:path';
import { vi } from 'vitest';
import { admin, type HostReady } from '../host/program/host-program.ts';
import { createNatsServer } from '../support/nats-server.ts';
import { createPos, type PosAnswer } from '../support/pos.ts';
import { createPostgresDatabase } from '../support/postgres.ts';
import {
  endProgram,
  type Program,
  runProgram,
  startProgram,
  startTill,
  startVirtualTerminal,
  temporaryFolder,
} from '../support/processes.ts';
import { startWireProxy, type WireProxy } from '../support/wire-proxy.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';

/** Only a program that hangs needs so long; a till that has lost its host tries again within a minute. */
const WAIT = { timeout: 150_000, interval: 250 };

/** One process of the host. */
export interface NodeProgram {
  readonly program: Program<HostReady>;
  readonly port: number;
  /** Between it and NATS. */
  readonly natsLine: WireProxy;
}

/** A till with its terminal, paired, and linked to one node at a time. */
export interface Lane {
  /** Of the terminal at the host. */
  readonly terminalId: string;
  readonly terminal: ControlClient;
  /** Stands for the load balancer in front of the nodes. */
  readonly hostLine: WireProxy;
  close(): Promise<void>;
}

/** Three processes of the host on one PostgreSQL and one NATS, and three tills, each linked to another node. */
export interface Cluster {
  readonly nodes: readonly [NodeProgram, NodeProgram, NodeProgram];
  readonly lanes: readonly [Lane, Lane, Lane];
  /** Of a client of the merchant, for all its terminals. */
  readonly posKey: string;
  /** Starts the process of a node again; its address is another. */
  startNode(): Promise<NodeProgram>;
  /** A sale at a lane's terminal, entering at a node. */
  sell(at: NodeProgram, lane: Lane, key: string, amount: number): Promise<PosAnswer>;
  get(at: NodeProgram, lane: Lane, path: string): Promise<PosAnswer>;
  /** Until a call that enters at the node is answered by the lane's till, which is idle. */
  untilReached(at: NodeProgram, lane: Lane): Promise<void>;
  close(): Promise<void>;
}

export async function openCluster(): Promise<Cluster> {
  const folder = temporaryFolder();
  const hostDir = join(folder.path, 'host');
  const nats = await createNatsServer();
  const environment = {
    TILL_HOST_DATABASE_URL: await createPostgresDatabase(),
    TILL_HOST_SECRET: 'a secret of all nodes, long enough',
  };
  const started: NodeProgram[] = [];
  async function startNode(): Promise<NodeProgram> {
    const natsLine = await startWireProxy(nats.port, {});
    const place = ['--port', '0', '--data-dir', hostDir, '--demo', '--nats', `nats://127.0.0.1:${natsLine.port}`];
    const program = await startProgram<HostReady>('host/main', place, environment);
    const node = { program, port: Number(new URL(program.ready.baseUrl).port), natsLine };
    started.push(node);
    return node;
  }
  // The first makes tables, merchant and simulator, the others find them.
  const first = await startNode();
  const nodes = [first, ...(await Promise.all([startNode(), startNode()]))] as const;
  const { merchantId = '' } = first.program.ready.demo ?? {};
  const command = (...args: readonly string[]) =>
    admin([...args, '--merchant', merchantId, '--data-dir', hostDir], environment);
  const { key: posKey = '' } = await command('pos-clients', 'add', '--name', 'Web shop');
  const openLaneAt = (node: NodeProgram, name: string) => openLane(join(folder.path, name), name, node, command);
  const lanes = await Promise.all([
    openLaneAt(nodes[0], 'lane-1'),
    openLaneAt(nodes[1], 'lane-2'),
    openLaneAt(nodes[2], 'lane-3'),
  ]);
  const pos = (node: NodeProgram) => createPos(node.program.ready.baseUrl, posKey);
  const get: Cluster['get'] = (at, { terminalId }, path) => pos(at).get(path, { 'x-terminal-id': terminalId });
  return {
    ...{ nodes, lanes, posKey, startNode, get },
    sell(at, { terminalId }, key, amount) {
      const headers = { 'x-terminal-id': terminalId, 'idempotency-key': key };
      return pos(at).post('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' }, headers);
    },
    async untilReached(at, lane) {
      await vi.waitFor(async () => {
        const { status, body, text } = await get(at, lane, '/v1/device/health');
        if (status !== 200 || body.state !== 'IDLE') throw new Error(`the terminal is not reached: ${text}`);
      }, WAIT);
    },
    async close() {
      for (const lane of lanes) await lane.close();
      for (const { program } of started) await endProgram(program);
      for (const { natsLine } of started) await natsLine.close();
      const control = first.program.ready.simulator?.control ?? '';
      // It would outlive its hosts by its lease.
      await controlClient(control).send('POST', '/stop');
      await nats.stop();
      folder.remove();
    },
  };
}

async function openLane(
  folder: string,
  name: string,
  { port }: NodeProgram,
  command: (...args: readonly string[]) => Promise<Record<string, string>>,
): Promise<Lane> {
  const hostLine = await startWireProxy(port, {});
  const virtual = await startVirtualTerminal(['--tcp', '0', '--think-ms', '0', '--book', `${folder}.jsonl`]);
  const url = `zvt+tcp://127.0.0.1:${virtual.ready.tcp}?currency=EUR`;
  const till = await startTill(['--data-dir', folder, '--terminal', url]);
  const { terminalId = '' } = await command('terminals', 'add', '--name', name, '--currency', 'EUR');
  const { pairingCode = '' } = await command('pairing-codes', 'add', '--terminal', terminalId);
  const pairing = ['--terminal', 'T1', '--data-dir', folder, '--host', `http://127.0.0.1:${hostLine.port}`];
  const { code, errors } = await runProgram('main/pair', [pairingCode, ...pairing]);
  if (code !== 0) throw new Error(`the till was not paired: ${errors}`);
  return {
    ...{ terminalId, hostLine, terminal: controlClient(virtual.ready.controlUrl) },
    async close() {
      await endProgram(till);
      await endProgram(virtual);
      await hostLine.close();
    },
  };
}
