import { Type } from 'typebox';
import { validate } from '../../app/contract/validate.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { LinkLease } from '../ports/host-records.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { TerminalName } from '../ports/terminal-calls.ts';
import type { LinkWatch, WatchedLink } from '../server/link/link-watch.ts';
import type { NodeBus } from './node-bus.ts';
import type { NodePresence } from './node-presence.ts';

/** Milliseconds for which a lease lasts, and after which it is prolonged. */
const LEASE_LIFE_MS = 20_000;
const RENEW_MS = 5_000;

/** Told to all nodes when a terminal has linked. */
const TAKEN = 'link-taken';
const Taken = Type.Object(
  {
    merchantId: Type.String({ minLength: 1, maxLength: 255 }),
    terminalId: Type.String({ minLength: 1, maxLength: 255 }),
    fence: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);

/** The leases of the terminals that are linked to this node: of all links of a terminal in the cluster, the one that was opened last counts. */
export interface LinkLeases extends LinkWatch {
  /** Fence of the terminal's link at this node; undefined while there is none, or its lease is not taken yet. */
  fenceOf(terminal: TerminalName): number | undefined;
  /** Prolongs nothing more; resolves when what was to be released is. */
  stop(): Promise<void>;
}

interface Deps {
  readonly store: Pick<HostStore, 'takeLink' | 'renewLinks' | 'releaseLink'>;
  readonly bus: Pick<NodeBus, 'node' | 'publish' | 'hear'>;
  readonly presence: Pick<NodePresence, 'isCutOff'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface HeldLink extends WatchedLink {
  readonly terminal: TerminalName;
  fence?: number;
}

export function createLinkLeases({ store, bus, presence, clock, log }: Deps): LinkLeases {
  const { node } = bus;
  const held = new Map<string, HeldLink>();
  const running = new Set<Promise<void>>();
  let isStopped = false;

  /** Runs a piece of work on the store; what fails is put right by the next renewal, or by the lease's end. */
  function run(work: () => Promise<void>, failed: () => void = () => {}): void {
    const task = work()
      .catch((error: unknown) => {
        log.warn('a lease of a link was not written', { reason: error instanceof Error ? error.message : 'unknown' });
        failed();
      })
      .finally(() => running.delete(task));
    running.add(task);
  }

  async function take(link: HeldLink): Promise<void> {
    const { terminal } = link;
    const fence = await store.takeLink(terminal, node, LEASE_LIFE_MS);
    if (held.get(nameOf(terminal)) !== link) return await store.releaseLink({ ...terminal, node, fence });
    link.fence = fence;
    link.listen();
    bus.publish(TAKEN, JSON.stringify({ ...terminal, fence }));
  }

  async function renew(): Promise<void> {
    // Other nodes cannot pass on what is meant for them: their tills link elsewhere.
    if (presence.isCutOff()) for (const link of held.values()) link.close('CUT_OFF');
    const before = [...held.values()].filter(({ fence }) => fence !== undefined);
    const fences = new Map<string, LinkLease>();
    for (const lease of await store.renewLinks(node, LEASE_LIFE_MS)) fences.set(nameOf(lease), lease);
    for (const link of before) {
      if (fences.get(nameOf(link.terminal))?.fence !== link.fence) link.close('REPLACED');
    }
    // Left by a link that closed while the store was away.
    for (const [name, lease] of fences) if (!held.has(name)) await store.releaseLink(lease);
  }

  let cancelRenewal = clock.after(RENEW_MS, renewLater);
  function renewLater(): void {
    run(async () => {
      await renew().finally(() => {
        if (!isStopped) cancelRenewal = clock.after(RENEW_MS, renewLater);
      });
    });
  }

  bus.hear(TAKEN, (payload) => {
    const taken = takenIn(payload);
    const link = taken === undefined ? undefined : held.get(nameOf(taken));
    if (taken !== undefined && link?.fence !== undefined && link.fence < taken.fence) link.close('REPLACED');
  });

  return {
    canOpen: () => !presence.isCutOff(),
    opened({ merchantId, terminalId }, watched) {
      const link: HeldLink = { ...watched, terminal: { merchantId, terminalId } };
      const name = nameOf(link.terminal);
      held.set(name, link);
      run(
        () => take(link),
        () => link.close('TRY_LATER'),
      );
      return () => {
        if (held.get(name) === link) held.delete(name);
        const { terminal, fence } = link;
        if (fence !== undefined) run(() => store.releaseLink({ ...terminal, node, fence }));
      };
    },
    fenceOf: (terminal) => held.get(nameOf(terminal))?.fence,
    async stop() {
      isStopped = true;
      cancelRenewal();
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function takenIn(payload: string): { merchantId: string; terminalId: string; fence: number } | undefined {
  try {
    return validate(Taken, JSON.parse(payload));
  } catch {
    // Said by something else under the same subject.
    return undefined;
  }
}

function nameOf({ merchantId, terminalId }: TerminalName): string {
  return JSON.stringify([merchantId, terminalId]);
}
