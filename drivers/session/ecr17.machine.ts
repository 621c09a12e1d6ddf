// The link layer of ECR17 (digest: "Frame", "ACK", "Progress"): a message is acknowledged or refused, and repeated without a change.
import {
  decodeEcr17,
  type Ecr17Item,
  type Ecr17State,
  encodeAck,
  encodeEcr17Message,
  encodeNak,
  giveUpEcr17,
  INITIAL_ECR17_STATE,
  isReceivingEcr17,
  type Lrc,
} from '../framing/ecr17-framing.ts';
import type { LinkAction, LinkInput, LinkMachine } from './machine-link.ts';

/** How often a message is sent at most. */
export const MAX_ECR17_SENDS = 3;
/** Wait for the acknowledgement of a message. */
export const ECR17_ACK_TIMEOUT_MS = 3_000;
/** Silence within a frame after which its rest is lost. */
const ECR17_GAP_MS = 1_000;

export interface Ecr17LinkOptions {
  /** What the check bytes of this terminal are counted over. */
  readonly lrc: Lrc;
  /**
   * Whether a message is repeated when nothing comes back. On a serial line it may have been lost. TCP loses nothing: there it waits in the terminal,
   * and a second one would wait behind it.
   */
  readonly repeatsAfterSilence: boolean;
}

interface Outgoing {
  readonly text: string;
  readonly sendCount: number;
  /** Each transmission so far was answered by NAK: the terminal has none of them. */
  readonly isRefused: boolean;
  /** The terminal repeated something old meanwhile, or so it seems: silence is no reason for another transmission. */
  readonly hasHeard: boolean;
}

/** A value; the transition function never changes the state it is given. */
export interface Ecr17LinkState {
  readonly receiver: Ecr17State;
  readonly outgoing?: Outgoing;
  /** Came last, and nothing of ours was taken since: the same text again is a repeat, not a new message. */
  readonly lastReceived?: { readonly text: string; readonly isAcknowledged: boolean };
}

/** A message of one byte: on its way out it acknowledges what was delivered last. */
export const ECR17_ACKNOWLEDGEMENT: Uint8Array = Uint8Array.of(0x06);
/** First byte of a delivered progress text; a message begins with a digit. */
export const ECR17_PROGRESS = 0x01;

type Step = ReturnType<LinkMachine<Ecr17LinkState>['step']>;

/**
 * The machine for one terminal. What is sent and delivered are texts without frame, one byte for each character; progress comes with ECR17_PROGRESS before it.
 * A message is acknowledged by sending ECR17_ACKNOWLEDGEMENT: the till may have to store it first, and what proves nothing is not acknowledged.
 */
export function ecr17Machine(options: Ecr17LinkOptions): LinkMachine<Ecr17LinkState> {
  return {
    initial: { receiver: INITIAL_ECR17_STATE },
    step: (state, input) => stepEcr17(options, state, input),
  };
}

function stepEcr17(options: Ecr17LinkOptions, state: Ecr17LinkState, input: LinkInput): Step {
  switch (input.type) {
    case 'SEND':
      return input.message[0] === ECR17_ACKNOWLEDGEMENT[0] ? acknowledge(options, state) : send(options, state, input);
    case 'BYTES': {
      const { state: receiver, items } = decodeEcr17(state.receiver, input.bytes);
      return receive(options, { ...state, receiver }, items);
    }
    case 'TIMER_EXPIRED':
      return input.timer === 'GAP' ? gap(options, state) : silence(options, state);
  }
}

function acknowledge({ lrc }: Ecr17LinkOptions, state: Ecr17LinkState): Step {
  const { lastReceived } = state;
  return {
    state: lastReceived === undefined ? state : { ...state, lastReceived: { ...lastReceived, isAcknowledged: true } },
    actions: [
      { type: 'WRITE', bytes: encodeAck(lrc) },
      { type: 'SETTLE', result: 'DELIVERED' },
    ],
  };
}

function send(options: Ecr17LinkOptions, state: Ecr17LinkState, input: LinkInput & { readonly type: 'SEND' }): Step {
  const text = String.fromCharCode(...input.message);
  return transmit(options, state, { text, sendCount: 1, isRefused: true, hasHeard: false });
}

function transmit({ lrc }: Ecr17LinkOptions, state: Ecr17LinkState, outgoing: Outgoing): Step {
  return {
    state: { ...state, outgoing },
    actions: [
      { type: 'WRITE', bytes: encodeEcr17Message(outgoing.text, lrc) },
      { type: 'START_TIMER', timer: 'ACKNOWLEDGEMENT', delayMs: ECR17_ACK_TIMEOUT_MS },
    ],
  };
}

/** No acknowledgement came: the terminal may have the message or not. */
function silence(options: Ecr17LinkOptions, state: Ecr17LinkState): Step {
  const { outgoing } = state;
  if (outgoing === undefined) return { state, actions: [] };
  const isOver = outgoing.hasHeard || !options.repeatsAfterSilence || outgoing.sendCount >= MAX_ECR17_SENDS;
  if (isOver) return giveUp(state, 'the terminal does not acknowledge the message');
  return transmit(options, state, { ...outgoing, sendCount: outgoing.sendCount + 1, isRefused: false });
}

function giveUp({ outgoing: _, ...rest }: Ecr17LinkState, reason: string): Step {
  return {
    state: rest,
    actions: [
      { type: 'STOP_TIMER', timer: 'ACKNOWLEDGEMENT' },
      { type: 'FAIL', reason },
    ],
  };
}

/** NAK: this transmission was not taken. After three the terminal does not know the message, or does not want it now. */
function refused(options: Ecr17LinkOptions, state: Ecr17LinkState): Step {
  const { outgoing, ...rest } = state;
  if (outgoing === undefined) return { state, actions: [report('refusal of nothing', 3)] };
  if (outgoing.sendCount < MAX_ECR17_SENDS)
    return transmit(options, state, { ...outgoing, sendCount: outgoing.sendCount + 1 });
  // One that was met by silence may have been taken all the same, and the refusal be of its repeat.
  if (!outgoing.isRefused) return giveUp(state, 'the terminal refused the repeat of a message that it may have taken');
  return {
    state: rest,
    actions: [
      { type: 'STOP_TIMER', timer: 'ACKNOWLEDGEMENT' },
      { type: 'SETTLE', result: 'REFUSED' },
    ],
  };
}

/** The rest of a frame did not come. The terminal is told at once, or it would repeat it only after its own time. */
function gap(options: Ecr17LinkOptions, state: Ecr17LinkState): Step {
  const wasMessage = state.receiver.phase === 'message' || state.receiver.phase === 'message-lrc';
  const { state: receiver, items } = giveUpEcr17(state.receiver);
  const step = receive(options, { ...state, receiver }, items);
  return wasMessage ? { ...step, actions: [writeNak(options), ...step.actions] } : step;
}

function receive(options: Ecr17LinkOptions, start: Ecr17LinkState, items: readonly Ecr17Item[]): Step {
  let state = start;
  const actions: LinkAction[] = [];
  for (const item of items) {
    const step = take(options, state, item);
    state = step.state;
    actions.push(...step.actions);
  }
  actions.push(
    isReceivingEcr17(state.receiver)
      ? { type: 'START_TIMER', timer: 'GAP', delayMs: ECR17_GAP_MS }
      : { type: 'STOP_TIMER', timer: 'GAP' },
  );
  return { state, actions };
}

function take(options: Ecr17LinkOptions, state: Ecr17LinkState, item: Ecr17Item): Step {
  switch (item.type) {
    case 'ack':
      return state.outgoing === undefined
        ? { state, actions: [report('acknowledgement of nothing', 3)] }
        : taken(state);
    case 'nak':
      return refused(options, state);
    case 'progress':
      return deliver(state, `${String.fromCharCode(ECR17_PROGRESS)}${item.text}`);
    case 'message':
      return takeMessage(options, state, item);
    case 'bad-lrc':
      return {
        state,
        actions: [
          ...(item.frame === 'message' ? [writeNak(options)] : []),
          report('frame with a wrong check byte', item.byteCount),
        ],
      };
    case 'noise':
      return { state, actions: [report('noise', item.bytes.length)] };
  }
}

/** The terminal has what we sent: whatever comes now is new. */
function taken(state: Ecr17LinkState): Step {
  return {
    state: { receiver: state.receiver },
    actions: [
      { type: 'STOP_TIMER', timer: 'ACKNOWLEDGEMENT' },
      { type: 'SETTLE', result: 'DELIVERED' },
    ],
  };
}

/** A terminal that speaks has heard: its message counts as the acknowledgement that got lost. */
function deliver(state: Ecr17LinkState, text: string): Step {
  const step: Step = state.outgoing === undefined ? { state, actions: [] } : taken(state);
  const message = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return { ...step, actions: [...step.actions, { type: 'DELIVER', message }] };
}

function takeMessage(
  options: Ecr17LinkOptions,
  state: Ecr17LinkState,
  { text, lrcs }: Ecr17Item & { readonly type: 'message' },
): Step {
  if (!lrcs.includes(options.lrc))
    return {
      state,
      actions: [writeNak(options), report(`frame with the check byte of ${lrcs.join(' or ')}`, text.length + 3)],
    };
  if (state.lastReceived?.text === text) return repeated(options, state, state.lastReceived.isAcknowledged);
  const step = deliver(state, text);
  return { ...step, state: { ...step.state, lastReceived: { text, isAcknowledged: false } } };
}

/** What is still being stored, or was not to be acknowledged, is not acknowledged for being told twice. */
function repeated(options: Ecr17LinkOptions, state: Ecr17LinkState, isAcknowledged: boolean): Step {
  const { outgoing } = state;
  return {
    state: outgoing === undefined ? state : { ...state, outgoing: { ...outgoing, hasHeard: true } },
    actions: [
      ...(isAcknowledged ? [{ type: 'WRITE', bytes: encodeAck(options.lrc) } as const] : []),
      report('repeat of the last message', state.lastReceived?.text.length ?? 0),
    ],
  };
}

function writeNak({ lrc }: Ecr17LinkOptions): LinkAction {
  return { type: 'WRITE', bytes: encodeNak(lrc) };
}

function report(what: string, byteCount: number): LinkAction {
  return { type: 'REPORT', what, byteCount };
}
