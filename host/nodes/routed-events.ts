import { type Static, Type } from 'typebox';
import { validate } from '../../app/contract/validate.ts';
import type { TerminalName } from '../ports/terminal-calls.ts';
import type { TerminalEvent, TerminalEvents } from '../ports/terminal-events.ts';
import type { LinkEvents } from '../server/link/link-events.ts';
import type { LinkLeases } from './link-leases.ts';
import type { NodeBus } from './node-bus.ts';

/** An event of a terminal on its way from the node that holds its link. */
const ToldEvent = Type.Object(
  {
    fence: Type.Integer({ minimum: 1, description: 'Of the lease of the link over which it came.' }),
    event: Type.Object(
      {
        terminalId: Type.String({ minLength: 1, maxLength: 255 }),
        event: Type.String(),
        sequence: Type.Integer({ minimum: 1 }),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: false },
);
type ToldEvent = Static<typeof ToldEvent>;

interface Deps {
  /** The links of this node. */
  readonly links: Pick<LinkEvents, 'listenToAll'>;
  readonly bus: Pick<NodeBus, 'publish' | 'hear'>;
  readonly leases: Pick<LinkLeases, 'fenceOf'>;
}

/** Who listens at this node to the terminals of one merchant. */
interface Audience {
  readonly tells: Set<(event: TerminalEvent, text: Uint8Array) => void>;
  /** Terminal → the highest fence of which an event has come. */
  readonly fences: Map<string, number>;
  /** Takes no more from other nodes. */
  stop(): void;
}

const encoder = new TextEncoder();

/**
 * Events of terminals wherever in the cluster they are linked (decisions: Cloud POS, Events). A node tells what comes over its links under a subject for
 * each merchant, which reaches only nodes where somebody listens. The events of one link come in its order. What comes under an older fence than
 * something before is dropped: the terminal has moved, and its new node has the word.
 */
export function routeEvents({ links, bus, leases }: Deps): TerminalEvents {
  const audiences = new Map<string, Audience>();

  function tell(merchantId: string, { fence, event }: ToldEvent, text: Uint8Array): void {
    const audience = audiences.get(merchantId);
    if (audience === undefined || fence < (audience.fences.get(event.terminalId) ?? 0)) return;
    audience.fences.set(event.terminalId, fence);
    for (const each of audience.tells) each(event, text);
  }

  function tellOf(terminal: TerminalName, event: TerminalEvent, text: Uint8Array): void {
    const fence = leases.fenceOf(terminal);
    // A till tells its events once it is asked to, which is under its lease.
    if (fence === undefined) return;
    const told: ToldEvent = { fence, event };
    bus.publish(subjectOf(terminal.merchantId), JSON.stringify(told));
    tell(terminal.merchantId, told, text);
  }
  links.listenToAll(tellOf);

  function open(merchantId: string): Audience {
    const stop = bus.hear(subjectOf(merchantId), (payload) => {
      const told = toldIn(payload);
      if (told !== undefined) tell(merchantId, told, encoder.encode(JSON.stringify(told.event)));
    });
    const audience: Audience = { tells: new Set(), fences: new Map(), stop };
    audiences.set(merchantId, audience);
    return audience;
  }

  return {
    listen(merchantId, newcomer) {
      const audience = audiences.get(merchantId) ?? open(merchantId);
      audience.tells.add(newcomer);
      return () => {
        if (!audience.tells.delete(newcomer) || audience.tells.size > 0) return;
        audiences.delete(merchantId);
        audience.stop();
      };
    },
  };
}

/** What ids may hold means something else in a subject. */
function subjectOf(merchantId: string): string {
  return `events.${Buffer.from(merchantId).toString('base64url')}`;
}

function toldIn(payload: string): ToldEvent | undefined {
  try {
    return validate(ToldEvent, JSON.parse(payload));
  } catch {
    // Said by something else under the same subject.
    return undefined;
  }
}
