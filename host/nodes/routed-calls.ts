import { validate } from '../../app/contract/validate.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { CallResult, TerminalCalls, TerminalName } from '../ports/terminal-calls.ts';
import type { LinkLeases } from './link-leases.ts';
import type { NodeBus } from './node-bus.ts';
import { PASS, PassedCall, PassedResult, UNDER_WAY } from './passed-call.ts';

/** Milliseconds after which a call that has been passed is not begun any more: its caller may have given up. */
const START_WITHIN_MS = 10_000;
/** Milliseconds for which the answer of the other node is waited for beyond the call's own time. */
const ANSWER_WITHIN_MS = 2_000;
/** Milliseconds between two questions whether the other node still has the call, and how often it must have said no. */
const ASK_EVERY_MS = 1_000;
const ASK_TIMEOUT_MS = 2_000;
const MAX_DENIALS = 2;

interface Deps {
  /** The links of this node. */
  readonly hub: TerminalCalls;
  readonly bus: Pick<NodeBus, 'node' | 'request' | 'answer'>;
  readonly store: Pick<HostStore, 'findLink'>;
  readonly leases: Pick<LinkLeases, 'fenceOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

type FoundLink = NonNullable<Awaited<ReturnType<HostStore['findLink']>>>;

/**
 * Calls to terminals wherever in the cluster they are linked (decisions: Cloud POS). A call goes to the node that holds the lease of the terminal's link,
 * once, and its answer counts only while that lease is in force under the same fence: a terminal that has moved answers nothing that was asked before.
 */
export function routeCalls({ hub, bus, store, leases, clock, log }: Deps): TerminalCalls {
  const underWay = new Set<string>();

  /** undefined also while the store does not tell. */
  async function leaseOf(terminal: TerminalName): Promise<FoundLink | undefined> {
    try {
      return await store.findLink(terminal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      log.warn('the store does not tell where a terminal is linked', { terminalId: terminal.terminalId, reason });
      return undefined;
    }
  }

  async function isStill({ node, fence }: FoundLink, terminal: TerminalName): Promise<boolean> {
    const found = await leaseOf(terminal);
    return found?.node === node && found.fence === fence;
  }

  /** Over a link of this node, if it is the one that the lease means. */
  async function callHere(fence: number, ...[terminal, call, timeoutMs]: CallOf): Promise<CallResult> {
    if (leases.fenceOf(terminal) !== fence) return { kind: 'NOT_LINKED' };
    return await hub.call(terminal, call, timeoutMs);
  }

  async function callThere({ node, fence, readAtMs }: FoundLink, ...[terminal, call, timeoutMs]: CallOf) {
    const { merchantId, terminalId } = terminal;
    const passed: PassedCall = {
      ...{ merchantId, terminalId, fence, timeoutMs, call },
      startBeforeMs: readAtMs + START_WITHIN_MS,
    };
    const asked = bus.request(node, PASS, JSON.stringify(passed), timeoutMs + ANSWER_WITHIN_MS);
    return await new Promise<CallResult>((resolve) => {
      const stopAsking = whenGone(node, call.callId, () => resolve({ kind: 'LOST' }));
      void asked.then((answer) => {
        stopAsking();
        if (answer.kind === 'ANSWERED') resolve(resultIn(answer.payload));
        else resolve({ kind: answer.kind === 'NOBODY' ? 'NOT_LINKED' : 'LOST' });
      });
    });
  }

  /** Notices that a node has died, or is cut off, long before the time of the call is over. */
  function whenGone(node: string, callId: string, gone: () => void): () => void {
    let denials = 0;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const answer = await bus.request(node, UNDER_WAY, callId, ASK_TIMEOUT_MS);
      if (isOver) return;
      const isDenied = answer.kind === 'NOBODY' || (answer.kind === 'ANSWERED' && answer.payload !== 'yes');
      // The first no may have overtaken the answer.
      denials = isDenied ? denials + 1 : 0;
      if (denials >= MAX_DENIALS) gone();
      else cancel = clock.after(ASK_EVERY_MS, () => void ask());
    };
    let cancel = clock.after(ASK_EVERY_MS, () => void ask());
    return () => {
      isOver = true;
      cancel();
    };
  }

  /** What another node passes on: begun only under the lease that it has seen, while that is in force. */
  async function takePassed(payload: string): Promise<CallResult> {
    const { fence, startBeforeMs, timeoutMs, call, ...terminal } = validate(PassedCall, JSON.parse(payload));
    // One call, one time: whatever the network may do.
    if (underWay.has(call.callId)) throw new Error('the call is under way already');
    underWay.add(call.callId);
    try {
      const found = await leaseOf(terminal);
      const isMine = found?.node === bus.node && found.fence === fence && found.readAtMs <= startBeforeMs;
      return isMine ? await callHere(fence, terminal, call, timeoutMs) : { kind: 'NOT_LINKED' };
    } finally {
      underWay.delete(call.callId);
    }
  }

  bus.answer(PASS, async (payload) => JSON.stringify(await takePassed(payload)));
  bus.answer(UNDER_WAY, async (callId) => (underWay.has(callId) ? 'yes' : 'no'));

  return {
    async call(terminal, call, timeoutMs) {
      const lease = await leaseOf(terminal);
      if (lease === undefined) return { kind: 'NOT_LINKED' };
      const result =
        lease.node === bus.node
          ? await callHere(lease.fence, terminal, call, timeoutMs)
          : await callThere(lease, terminal, call, timeoutMs);
      return result.kind !== 'ANSWERED' || (await isStill(lease, terminal)) ? result : { kind: 'LOST' };
    },
  };
}

type CallOf = Parameters<TerminalCalls['call']>;

/** What cannot be understood was answered all the same. */
function resultIn(payload: string): CallResult {
  try {
    return validate(PassedResult, JSON.parse(payload));
  } catch {
    return { kind: 'LOST' };
  }
}
