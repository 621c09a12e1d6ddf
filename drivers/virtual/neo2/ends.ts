// How card steps end: the last answer about a card and what spoils it, cards that never hear of their issuer, cancels.

import { book, show } from '../machine-turn.ts';
import type { Rule } from '../rules.ts';
import type { Activity } from './state.ts';
import { becomeIdle, reply, type Turn, tellCard } from './turn.ts';

const CANCEL = 0x05;
const NOT_ALLOWED = 0x0b;

type Waiting = Extract<Activity, { kind: 'WAIT_CARD' }>;
type LastAnswer = Parameters<typeof tellCard>[1];

/** Tells the last answer about a card, as the rule of the payment lets it through. */
export function tellLast(turn: Turn, rule: Rule | null, answer: LastAnswer): void {
  const { command } = answer;
  // A tap and a swipe have one answer only: it is what drop-after-host comes after.
  const isCardGone = answer.source !== 'CONTACT';
  if (rule === 'drop-before-chip' && isCardGone) turn.outputs.push({ type: 'drop-link' });
  else if (rule === 'drop-after-host') {
    if (isCardGone) tellCard(turn, { ...answer, command });
    turn.outputs.push({ type: 'drop-link' });
  } else if ((rule === 'unplug' || rule === 'reboot') && isCardGone)
    turn.outputs.push({ type: 'outage', cause: 'REBOOT', durationMs: turn.settings.outageMs });
  else if (rule === 'half-frame') tellCard(turn, answer, 'HALF');
  else if (rule === 'noise') tellCard(turn, answer, 'NOISE');
  else {
    tellCard(turn, answer);
    if (rule === 'duplicate-reply') tellCard(turn, answer);
  }
  becomeIdle(turn);
}

/** An inserted card does not hear of its issuer any more. */
export function abandonCard(turn: Turn, id: number, reason: string): void {
  book(turn, { kind: 'CARD_ABANDONED', id, reason });
}

/** The cardholder pressed stop before a card was read, or the till gave up. */
export function cancelWaiting(turn: Turn, { transaction }: Waiting): void {
  show(turn, turn.settings.texts.cancelled);
  tellCard(turn, { command: transaction.command, source: 'CONTACT', resultCode: '0012' });
  becomeIdle(turn);
}

/** Whether this is the last thing asked of the card under late-approval-after-abort: it goes on after a cancel. */
export function isLate(activity: Activity): boolean {
  const isLast = activity.kind === 'APPLYING' || (activity.kind === 'READING' && activity.card.entry !== 'CONTACT');
  return isLast && activity.transaction.rule === 'late-approval-after-abort';
}

/** 05-01 and 05-02: whatever is going on ends, and then the cancel is answered. The chip's last word cannot be taken back. */
export function cancel(turn: Turn): void {
  const { activity } = turn.state;
  if (isLate(activity)) reply(turn, CANCEL);
  else if (activity.kind === 'APPLYING') reply(turn, CANCEL, NOT_ALLOWED);
  else {
    if (activity.kind === 'WAIT_CARD') cancelWaiting(turn, activity);
    else if (activity.kind !== 'IDLE') cancelCard(turn, activity);
    reply(turn, CANCEL);
  }
}

function cancelCard(turn: Turn, activity: Exclude<Activity, { kind: 'IDLE' | 'WAIT_CARD' }>): void {
  if (activity.kind === 'READING')
    tellCard(turn, { command: activity.command, source: activity.card.entry, resultCode: '0012' });
  if (activity.kind === 'ONLINE') abandonCard(turn, activity.id, 'the till cancelled');
  show(turn, turn.settings.texts.cancelled);
  becomeIdle(turn);
}

/** The till did not send the next command of the card step in time. */
export function nextTimesOut(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'ONLINE') abandonCard(turn, activity.id, 'the till did not answer in time');
  show(turn, turn.settings.texts.cancelled);
  becomeIdle(turn);
}
