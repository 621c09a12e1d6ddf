import { findCard, lastFourOnly, type TestCard } from '../cards.ts';
import type { ControlledTerminal } from '../controlled-terminal.ts';
import { type FaultScript, parseRule } from '../rules.ts';
import { KEYS, parseKey } from '../terminal-view.ts';
import { ControlError } from './control-error.ts';

type Body = Readonly<Record<string, unknown>>;
type Route = (body: Body) => unknown;
/** path → method → what is done; the answer is sent as JSON */
export type ControlRoutes = Readonly<Record<string, Readonly<Record<string, Route>>>>;

const MAX_TIMES = 10_000;
/** Longest time that a person holds the terminal without saying so again. */
const MAX_HAND_SECONDS = 3600;

export interface ControlDeps {
  readonly terminal: ControlledTerminal;
  readonly cards: readonly TestCard[];
  /** what does not change, told with the state */
  readonly facts: Readonly<Record<string, unknown>>;
  /** what its protocol can be told to meet */
  readonly script: FaultScript;
  readonly readBook: () => object;
  /** the owner is still there */
  readonly renewLease: () => { readonly leaseSeconds: number | null };
  readonly stop: () => void;
}

/** What can be asked of and done to a virtual terminal. */
export function createControlRoutes({
  terminal,
  cards,
  facts,
  script,
  readBook,
  renewLease,
  stop,
}: ControlDeps): ControlRoutes {
  const state = () => ({ ...facts, script, ...terminal.view() });
  return {
    '/state': { GET: state },
    '/cards': { GET: () => ({ cards: cards.map(describeCard) }) },
    '/card': {
      POST: (body) => {
        terminal.presentCard(namedCard(cards, body.card));
        return state();
      },
      DELETE: () => {
        terminal.removeCard();
        return state();
      },
    },
    '/key': {
      POST: ({ key }) => {
        const known = typeof key === 'string' ? parseKey(key) : undefined;
        if (known === undefined) throw new ControlError(400, `key must be one of ${KEYS.join(' ')}.`);
        terminal.pressKey(known);
        return state();
      },
    },
    '/next': {
      POST: ({ rule, times = 1 }) => {
        const known = typeof rule === 'string' ? parseRule(rule, script.rules) : undefined;
        if (known === undefined)
          throw new ControlError(400, `rule must be decline-01 … decline-99 or one of ${script.rules.join(' ')}.`);
        if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > MAX_TIMES)
          throw new ControlError(400, `times must be 1 … ${MAX_TIMES}.`);
        terminal.arm(known, Number(times));
        return state();
      },
      DELETE: () => {
        terminal.disarm();
        return state();
      },
    },
    '/hand': {
      POST: ({ seconds }) => {
        if (!Number.isInteger(seconds) || Number(seconds) < 1 || Number(seconds) > MAX_HAND_SECONDS)
          throw new ControlError(400, `seconds must be 1 … ${MAX_HAND_SECONDS}.`);
        terminal.takeInHand(Number(seconds) * 1000);
        return state();
      },
      DELETE: () => {
        terminal.letGo();
        return state();
      },
    },
    '/fault': {
      POST: ({ fault }) => {
        const known = script.faults.find((name) => name === fault);
        if (known === undefined) throw new ControlError(400, `fault must be one of ${script.faults.join(' ')}.`);
        terminal.causeFault(known);
        return state();
      },
    },
    '/auto-close': {
      POST: () => {
        if (!terminal.closeDay()) throw new ControlError(409, 'The terminal is doing something else.');
        return state();
      },
    },
    '/book': { GET: readBook },
    '/lease': { POST: renewLease },
    '/stop': {
      POST: () => {
        stop();
        return { stopping: true };
      },
    },
  };
}

function namedCard(cards: readonly TestCard[], id: unknown): TestCard {
  const card = typeof id === 'string' ? findCard(cards, id) : undefined;
  if (card === undefined)
    throw new ControlError(400, `card must be one of ${cards.map((known) => known.id).join(' ')}.`);
  return card;
}

function describeCard({ pan, pin, ...card }: TestCard) {
  // The PIN of a test card is printed on it, so to say: whoever draws the terminal shows it to the person who tries it.
  return { ...card, maskedPan: lastFourOnly(pan), ...(pin === undefined ? {} : { pin }) };
}
