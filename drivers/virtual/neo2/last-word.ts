// 60-12: the chip hears what its issuer said, and has the last word.
import type { ApplyResponse } from '../../neo2/codec/command-types.ts';
import { clearTag } from '../../neo2/codec/tlv.ts';
import { readIssuerResponse } from '../../neo2/codec/transaction-tags.ts';
import { book, setActivity, startTimer, stopTimers } from '../machine-turn.ts';
import type { ToldAnswer } from './book/entries.ts';
import { type ChipCompletion, completeByChip, type IssuerReply } from './card/chip-payment.ts';
import { abandonCard, isLate, tellLast } from './ends.ts';
import type { Activity } from './state.ts';
import { becomeIdle, orderLines, reply, showText, TEXT_NUMBERS, type Turn, tellCard, tellWorking } from './turn.ts';

const CONTACT = 0x60;
const BAD_PARAMETER = 0x05;
const STEP_NOT_ALLOWED = 0x0c;
/** The till has them sealed from the first cryptogram. */
const ACCOUNT_TAGS: ReadonlySet<string> = new Set(['5A', '57']);

type Online = Extract<Activity, { kind: 'ONLINE' }>;
type Applying = Extract<Activity, { kind: 'APPLYING' }>;

/** 60-12 */
export function applyResponse(turn: Turn, command: ApplyResponse): void {
  const { activity } = turn.state;
  if (activity.kind === 'CARD_GONE') {
    stopTimers(turn, 'next');
    tellCard(turn, { command: CONTACT, source: 'CONTACT', resultCode: '3005' });
    becomeIdle(turn);
    return;
  }
  const answer = replyOf(command);
  if (activity.kind !== 'ONLINE') reply(turn, CONTACT, STEP_NOT_ALLOWED);
  else if (answer === undefined) reply(turn, CONTACT, BAD_PARAMETER);
  else giveAnswer(turn, activity, answer);
}

function giveAnswer(turn: Turn, online: Online, answer: IssuerReply): void {
  const { rule, order } = online.transaction;
  stopTimers(turn, 'next');
  if (rule === 'drop-before-chip' || rule === 'unplug' || rule === 'reboot') {
    abandonCard(turn, online.id, `${rule} before the chip was told`);
    becomeIdle(turn);
    turn.outputs.push(
      rule === 'drop-before-chip'
        ? { type: 'drop-link' }
        : { type: 'outage', cause: 'REBOOT', durationMs: turn.settings.outageMs },
    );
    return;
  }
  const applying: Applying = { ...online, kind: 'APPLYING', reply: answer };
  setActivity(turn, applying);
  tellWorking(turn, CONTACT);
  showText(turn, TEXT_NUMBERS.pleaseWait, ...orderLines(turn, order), turn.settings.texts.pleaseWait);
  startTimer(turn, 'chip', isLate(applying) ? turn.settings.slowMs : turn.settings.chipMs);
}

/** Undefined without a response code, although the host was reached. */
function replyOf(command: ApplyResponse): IssuerReply | undefined {
  if (!command.isHostReached) return { kind: 'UNREACHABLE' };
  const response = readIssuerResponse(command.tags);
  if (response === undefined) return undefined;
  const { responseCode, issuerAuthenticationData: answer, scripts = [] } = response;
  return {
    kind: 'ANSWERED',
    responseCode,
    ...(answer === undefined ? {} : { answer }),
    scripts: scripts.map(({ tag, content }) => ({ when: tag === '71' ? 'BEFORE' : 'AFTER', bytes: content })),
  };
}

/** The second cryptogram is there. */
export function chipDecides(turn: Turn, applying: Applying): void {
  const { transaction, input, authorization, id, reply: answer } = applying;
  const completion = completeByChip(input, authorization, answer);
  const isApproved = completion.decision === 'APPROVED';
  book(turn, { kind: 'CARD_FINISHED', id, cryptogram: isApproved ? 'TC' : 'AAC', told: toldOf(answer, completion) });
  const { texts } = turn.settings;
  if (isApproved) showText(turn, TEXT_NUMBERS.approved, texts.approved, texts.removeCard);
  else showText(turn, TEXT_NUMBERS.declined, texts.declined, texts.removeCard);
  const tags = [...completion.tags]
    .filter(([tag]) => !ACCOUNT_TAGS.has(tag))
    .map(([tag, value]) => clearTag(tag, value));
  tellLast(turn, transaction.rule, {
    command: CONTACT,
    source: 'CONTACT',
    resultCode: isApproved ? '0002' : '0003',
    tags,
  });
}

function toldOf(answer: IssuerReply, { check }: ChipCompletion): ToldAnswer {
  if (answer.kind === 'UNREACHABLE') return { isHostReached: false, check, scriptCount: 0 };
  const { responseCode, scripts = [] } = answer;
  return { isHostReached: true, responseCode, check, scriptCount: scripts.length };
}
