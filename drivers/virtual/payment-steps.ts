// A payment up to the host's answer, as it happens in front of every terminal with an acquirer of its own: card, PIN, host.
// What is told to the till, and what becomes of the answer, is each protocol's own.
import { asksForPin, MAX_PIN_TRIES, type TestCard } from './cards.ts';
import type { MachineHandlers } from './machine.ts';
import {
  dropCardIfAlone,
  isAttended,
  type MachineTurn,
  setActivity,
  show,
  startTimer,
  stopTimers,
} from './machine-turn.ts';
import { isEnquiry, type Payment, type PaymentMachine, type PaymentStep, titleLines } from './payment.ts';
import type { Key } from './terminal-view.ts';

const MAX_PIN_DIGITS = 12;

/** What a terminal can tell its till about on the way. */
export type PaymentMoment = 'INSERT_CARD' | 'LOOK_AT_PIN_PAD' | 'CARD_UNREADABLE' | 'WRONG_PIN' | 'WAITING_FOR_HOST';

/** Who stopped a payment before the host was asked. */
export type CancelCause = 'CARDHOLDER' | 'TILL' | 'TIMEOUT' | 'CARD_REMOVED';

/** What one protocol makes of the ways out of these steps. */
export interface PaymentEnds<Turn, P extends Payment> {
  /** the till may be told how far it is */
  tell?(turn: Turn, moment: PaymentMoment): void;
  cancelled(turn: Turn, payment: P, cause: CancelCause): void;
  /** the card cannot be read, or its PIN was wrong too often: the host is not asked */
  refused(turn: Turn, payment: P, cause: 'CARD_UNREADABLE' | 'PIN_TRIES_EXCEEDED'): void;
  /** drop-before-host: the line is dropped, the host was not asked, and there is nobody to tell */
  lostBeforeHost(turn: Turn, payment: P): void;
}

/** The steps of a payment; each is called when its time has come. */
export interface PaymentSteps<Turn, P extends Payment> {
  /** Asks for a card, or goes to the host at once with the card of the original. */
  begin(turn: Turn, payment: P): void;
  /** The simulated customer does the next thing (timer `think`). */
  customerActs(turn: Turn, payment: P): void;
  /** A card is in the slot or on the reader. */
  cardPresented(turn: Turn, payment: P, card: TestCard): void;
  /** A chip card must stay until the PIN is checked. */
  cardRemoved(turn: Turn, payment: P): void;
  keyPressed(turn: Turn, payment: P, key: Key): void;
  /** Nobody presented a card or typed in time (timer `card`). */
  timesOut(turn: Turn, payment: P): void;
  /** A person has taken over: he gets the time for his PIN. */
  takenInHand(turn: Turn, payment: P): void;
  /** The simulated customer goes on; false when nothing is waited for from him. */
  customerGoesOn(turn: Turn, payment: P): boolean;
}

/** The host answers after its usual time, or a slow one's (timer `host`). */
function startHostTimer<T extends PaymentMachine>(turn: MachineTurn<T>, { rule }: Payment): void {
  const isSlow = rule === 'slow' || rule === 'late-approval-after-abort';
  startTimer(turn, 'host', isSlow ? turn.settings.slowMs : turn.settings.hostMs);
}

type PersonHandlers = 'cardPresented' | 'cardRemoved' | 'keyPressed' | 'takenInHand' | 'customerGoesOn';

/** Gives what a person does in front of the terminal to the payment that is going on. */
export function paymentHandlers<T extends PaymentMachine, P extends Payment>(
  steps: PaymentSteps<MachineTurn<T>, P>,
  paymentOf: (state: T['state']) => P | undefined,
): Required<Pick<MachineHandlers<T, MachineTurn<T>>, PersonHandlers>> {
  const give = (turn: MachineTurn<T>, act: (payment: P) => void) => {
    const payment = paymentOf(turn.state);
    if (payment !== undefined) act(payment);
  };
  return {
    cardPresented: (turn, card) => give(turn, (payment) => steps.cardPresented(turn, payment, card)),
    cardRemoved: (turn) => give(turn, (payment) => steps.cardRemoved(turn, payment)),
    keyPressed: (turn, key) => give(turn, (payment) => steps.keyPressed(turn, payment, key)),
    takenInHand: (turn) => give(turn, (payment) => steps.takenInHand(turn, payment)),
    customerGoesOn(turn) {
      const payment = paymentOf(turn.state);
      if (payment === undefined) dropCardIfAlone(turn);
      else steps.customerGoesOn(turn, payment);
    },
  };
}

/** Until the host is asked, a payment can be stopped. */
export function canBeCancelled({ stage }: Payment): boolean {
  return stage === 'CARD' || stage === 'PIN';
}

/** Changes the payment that is going on, and gives it back. */
export function setPayment<T extends PaymentMachine, P extends Payment>(
  turn: MachineTurn<T>,
  payment: P,
  change: Partial<P> | StepChange,
): P {
  const next = { ...payment, ...change };
  setActivity(turn, next);
  return next;
}

type StepChange = Partial<Pick<Payment, 'card' | 'pin' | 'wrongPins'>> & { readonly stage?: PaymentStep };

/** Makes the steps for a protocol from its ways out. */
export function createPaymentSteps<T extends PaymentMachine, P extends Payment>(
  ends: PaymentEnds<MachineTurn<T>, P>,
): PaymentSteps<MachineTurn<T>, P> {
  type Turn = MachineTurn<T>;

  const waitForCard = (turn: Turn, payment: P) => {
    show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.presentCard);
    ends.tell?.(turn, 'INSERT_CARD');
    startTimer(turn, 'card', turn.settings.cardTimeoutMs);
    const { card } = turn.state;
    const isCancelled = payment.rule === 'cardholder-cancel';
    if (card !== null && !isCancelled) takeCard(turn, payment, card);
    else if (!isAttended(turn) || isCancelled) startTimer(turn, 'think', turn.settings.thinkMs);
  };
  const takeCard = (turn: Turn, payment: P, card: TestCard) => {
    stopTimers(turn, 'card', 'think');
    // Chip cards stay in the slot until the end, others are back in the customer's hand.
    turn.state = { ...turn.state, card: card.entry === 'CONTACT' ? card : null };
    if (card.isUnreadable === true) {
      ends.tell?.(turn, 'CARD_UNREADABLE');
      ends.refused(turn, payment, 'CARD_UNREADABLE');
      return;
    }
    const next = setPayment(turn, payment, { card });
    const { operation, amountMinor } = payment.order;
    if (asksForPin(card, amountMinor) && !isEnquiry(operation)) waitForPin(turn, next);
    else askHost(turn, next);
  };
  const waitForPin = (turn: Turn, payment: P) => {
    setPayment(turn, payment, { stage: 'PIN', pin: '' });
    show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.enterPin, '');
    ends.tell?.(turn, 'LOOK_AT_PIN_PAD');
    if (isAttended(turn)) startTimer(turn, 'card', turn.settings.cardTimeoutMs);
    else startTimer(turn, 'think', turn.settings.thinkMs / 2);
  };
  const changePin = (turn: Turn, payment: P, pin: string) => {
    setPayment(turn, payment, { pin });
    show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.enterPin, '*'.repeat(pin.length));
  };
  const enterPin = (turn: Turn, payment: P) => {
    if (payment.pin === payment.card?.pin) {
      askHost(turn, payment);
      return;
    }
    const wrongPins = payment.wrongPins + 1;
    ends.tell?.(turn, 'WRONG_PIN');
    const next = setPayment(turn, payment, { wrongPins, pin: '' });
    const { texts } = turn.settings;
    if (wrongPins >= MAX_PIN_TRIES) ends.refused(turn, next, 'PIN_TRIES_EXCEEDED');
    else show(turn, ...titleLines(turn.settings, payment.order), texts.wrongPin, texts.enterPin);
  };
  const askHost = (turn: Turn, payment: P) => {
    stopTimers(turn, 'card', 'think');
    if (payment.rule === 'drop-before-host') {
      turn.outputs.push({ type: 'drop-link' });
      ends.lostBeforeHost(turn, payment);
      return;
    }
    const { texts } = turn.settings;
    const next = setPayment(turn, payment, { stage: 'HOST' });
    show(turn, ...titleLines(turn.settings, payment.order), texts.pleaseWait, texts.connecting);
    ends.tell?.(turn, 'WAITING_FOR_HOST');
    startHostTimer(turn, next);
  };

  return {
    begin(turn, payment) {
      setPayment(turn, payment, { stage: 'CARD' });
      if (payment.order.card === undefined) waitForCard(turn, payment);
      else if (payment.rule === 'cardholder-cancel') ends.cancelled(turn, payment, 'CARDHOLDER');
      else askHost(turn, payment);
    },
    customerActs(turn, payment) {
      const [card] = turn.settings.cards;
      if (payment.stage === 'PIN') askHost(turn, payment);
      else if (payment.stage !== 'CARD') return;
      else if (payment.rule === 'cardholder-cancel') ends.cancelled(turn, payment, 'CARDHOLDER');
      else if (card !== undefined) takeCard(turn, payment, turn.state.card ?? card);
    },
    cardPresented(turn, payment, card) {
      if (payment.stage === 'CARD') takeCard(turn, payment, card);
    },
    cardRemoved(turn, payment) {
      if (payment.stage === 'PIN' && payment.card?.entry === 'CONTACT') ends.cancelled(turn, payment, 'CARD_REMOVED');
    },
    keyPressed(turn, payment, key) {
      if (key === 'STOP' && canBeCancelled(payment)) ends.cancelled(turn, payment, 'CARDHOLDER');
      else if (payment.stage !== 'PIN') return;
      else if (key === 'OK') enterPin(turn, payment);
      else if (key === 'CORR') changePin(turn, payment, payment.pin.slice(0, -1));
      else if (/^[0-9]$/.test(key)) changePin(turn, payment, `${payment.pin}${key}`.slice(0, MAX_PIN_DIGITS));
    },
    timesOut(turn, payment) {
      if (canBeCancelled(payment)) ends.cancelled(turn, payment, 'TIMEOUT');
    },
    takenInHand(turn, payment) {
      if (payment.stage === 'PIN') startTimer(turn, 'card', turn.settings.cardTimeoutMs);
    },
    customerGoesOn(turn, payment) {
      if (canBeCancelled(payment)) {
        startTimer(turn, 'think', turn.settings.thinkMs);
        return true;
      }
      dropCardIfAlone(turn);
      return false;
    },
  };
}
