import { noTip, tipOfferOf } from '../domain/tip-choices.ts';
import type { Clock } from '../ports/clock.ts';
import type { TipsInForce } from '../ports/tips.ts';
import { askTip, canAskTip, type TipQuestion } from './ask-tip.ts';
import { timedSignal, within } from './deadline.ts';
import type { Engine } from './engine.ts';
import { DEVICE_JOB_TIMEOUT_MS, DEVICE_JOB_WAIT_MS, TIP_QUESTION_MS, TIP_TIME_SHARE } from './engine-limits.ts';
import type { Work } from './lane.ts';
import type { StartCall } from './start-transaction.ts';
import { tipWords } from './tip-words.ts';

/**
 * The call with the tip that the cardholder has chosen at the terminal, where he is to be asked: for what our host asked for, and where the shop has
 * settled that this terminal asks. Nothing is journaled yet and nothing was sent: the tip is on disk with the intent, before the command leaves, and a
 * till that dies before that has begun nothing (ADR 0025). What keeps the terminal from asking leaves the call as it is.
 */
export async function withChosenTip(engine: Engine, call: StartCall, work: Work): Promise<StartCall> {
  const { tipSource: source } = call.context;
  if (source !== undefined) {
    return { ...call, tip: { source, configVersion: tipsOf(engine, call)?.configVersion ?? 0 } };
  }
  const question = questionOf(engine, call);
  if (question === undefined) return call;
  const { tips, ...asked } = question;
  const chosen = await during(engine, call, work, asked);
  if (chosen === undefined) return call;
  const { tipAmountMinor, tipSource } = chosen === 'STOPPED' ? noTip : chosen;
  if (chosen === 'STOPPED') work.abortedBy ??= 'CARDHOLDER';
  return {
    ...call,
    request: { ...call.request, tipAmount: tipAmountMinor },
    tip: { source: tipSource, configVersion: tips.configVersion },
  };
}

function tipsOf({ deps }: Engine, { lane }: Pick<StartCall, 'lane'>): TipsInForce | undefined {
  return deps.tipsOf?.(lane.terminalId);
}

type Question = Omit<TipQuestion, 'leftMs' | 'input'> & { readonly tips: TipsInForce };

/** undefined where nobody is asked. */
function questionOf(engine: Engine, { context, lane, request, mode }: StartCall): Question | undefined {
  const isWanted = context.paymentSession !== undefined || lane.attached.asksTip === true;
  // A request that names a tip, be it 0, has it from the POS.
  if (!isWanted || request.type !== 'SALE' || mode !== 'ORCHESTRATED' || request.tipAmount !== undefined) {
    return undefined;
  }
  const tips = tipsOf(engine, { lane });
  const { currency, amount, cashbackAmount = 0 } = request;
  if (tips === undefined || tips.currency !== currency) return undefined;
  const { capabilities } = lane.terminal;
  const largestMinor = Math.min(capabilities.maxAmountMinor, tips.largestTotalMinor);
  const offer = tipOfferOf(amount, tips, largestMinor - amount - cashbackAmount);
  if (offer === undefined || !canAskTip({ offer, currency, capabilities })) return undefined;
  return { tips, offer, currency, capabilities, words: tipWords(engine.deps.settings.language, amount, currency) };
}

/** Asks until it is answered, the time is over, or somebody stops it. @returns undefined where the terminal does not ask after all */
async function during(engine: Engine, { lane, deadline }: StartCall, work: Work, question: Omit<Question, 'tips'>) {
  const { clock, log } = engine.deps;
  const stop = new AbortController();
  work.question = stop;
  const budgetMs = Math.min(TIP_QUESTION_MS, deadline.remainingMs() * TIP_TIME_SHARE);
  const untilMs = clock.monotonicMs() + budgetMs;
  const stopped = AbortSignal.any([stop.signal, work.preparation.signal, engine.stopping]);
  const time = timedSignal(clock, budgetMs + DEVICE_JOB_TIMEOUT_MS, stopped);
  try {
    return await askTip({
      ...question,
      leftMs: () => Math.floor(untilMs - clock.monotonicMs()),
      input: (request) => ended(clock, lane.terminal.input(request, time.signal), time.signal),
    });
  } catch (error) {
    log.warn('The terminal could not ask for a tip.', { terminalId: lane.terminalId, reason: String(error) });
    return undefined;
  } finally {
    time.done();
    delete work.question;
  }
}

/** Given up, the terminal has a little time to end its question: what comes then finds it ready. @throws Error when it was given up */
async function ended<T>(clock: Clock, answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const first = await Promise.race([answer.then((value) => ({ value })), stopped]);
  if (first !== undefined && !signal.aborted) return first.value;
  await within(
    clock,
    DEVICE_JOB_WAIT_MS,
    answer.catch(() => undefined),
  );
  throw new Error('the question was given up');
}
