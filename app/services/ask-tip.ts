import { exponentOf } from '../contract/currencies.ts';
import type { InputRequest, InputResult } from '../contract/device.ts';
import { MIN_INPUT_TIMEOUT_MS } from '../contract/limits.ts';
import { type ChosenTip, customTip, noTip, type TipOffer } from '../domain/tip-choices.ts';
import type { TerminalCapabilities } from '../ports/terminal.ts';
import { LARGEST_TIP_MENU, TIP_AMOUNT_TRIES } from './engine-limits.ts';
import type { TipWords } from './tip-words.ts';

/** How a terminal asks; milliseconds that are left for the whole of it. */
export interface TipQuestion {
  readonly offer: TipOffer;
  readonly words: TipWords;
  readonly currency: string;
  readonly capabilities: Pick<TerminalCapabilities, 'operations' | 'inputTypes'>;
  leftMs(): number;
  /** Puts one question. @throws what keeps the terminal from asking it */
  input(request: InputRequest): Promise<InputResult>;
}

/** 'STOPPED': the cardholder pressed stop, and does not want to pay. */
type TipAnswer = ChosenTip | 'STOPPED';

/** Whether a terminal has the keys for it: a menu, or an amount where one may be entered. */
export function canAskTip({ offer, currency, capabilities }: Omit<TipQuestion, 'words' | 'input' | 'leftMs'>): boolean {
  if (!capabilities.operations.has('INPUT')) return false;
  const canEnter = offer.customUpToMinor > 0 && amountInputOf(capabilities, currency) !== undefined;
  return canEnter || (offer.tips.length > 0 && capabilities.inputTypes.has('MENU'));
}

/** Asks for one tip; who does not answer gives none. @throws what keeps the terminal from asking */
export async function askTip(question: TipQuestion): Promise<TipAnswer> {
  const { inputTypes } = question.capabilities;
  return inputTypes.has('MENU') && question.offer.tips.length > 0
    ? await askByMenu(question)
    : await askAmount(question);
}

type Entry = { readonly text: string; readonly answer: ChosenTip | 'OTHER' | 'MORE' };

async function askByMenu(question: TipQuestion): Promise<TipAnswer> {
  const pages = menuPagesOf(question);
  for (let page = 0; ; page = (page + 1) % pages.length) {
    const entries = pages[page] ?? [];
    const result = await put(question, {
      prompt: question.words.question,
      inputType: 'MENU',
      options: entries.map(({ text }) => text),
    });
    if (result.status !== 'ENTERED') return unentered(result);
    const answer = entries[result.optionIndex ?? -1]?.answer ?? noTip;
    if (answer === 'OTHER') return await askAmount(question);
    if (answer !== 'MORE') return answer;
  }
}

/** As many choices at a time as any terminal has keys for; to give none is one of each page. */
function menuPagesOf({ offer, words, capabilities, currency }: TipQuestion): readonly (readonly Entry[])[] {
  const none: Entry = { text: words.none, answer: noTip };
  const canEnter = offer.customUpToMinor > 0 && amountInputOf(capabilities, currency) !== undefined;
  const choices: readonly Entry[] = [
    ...offer.tips.map((tip) => ({ text: words.option(tip), answer: tip })),
    ...(canEnter ? [{ text: words.other, answer: 'OTHER' } as const] : []),
  ];
  if (choices.length < LARGEST_TIP_MENU) return [[...choices, none]];
  const size = LARGEST_TIP_MENU - 2;
  const more: Entry = { text: words.more, answer: 'MORE' };
  return Array.from({ length: Math.ceil(choices.length / size) }, (_, page) => [
    ...choices.slice(page * size, (page + 1) * size),
    none,
    more,
  ]);
}

async function askAmount(question: TipQuestion): Promise<TipAnswer> {
  const { offer, words, capabilities, currency } = question;
  const input = amountInputOf(capabilities, currency);
  if (input === undefined) return noTip;
  let { prompt } = { prompt: input.isDecimal || exponentOf(currency) === 0 ? words.amountPrompt : words.minorPrompt };
  for (let tries = 0; tries < TIP_AMOUNT_TRIES; tries += 1) {
    const maxLength = String(offer.customUpToMinor).length;
    const result = await put(question, { prompt, inputType: input.inputType, maxLength });
    if (result.status !== 'ENTERED') return unentered(result);
    const amountMinor = minorOf(result.value ?? '', input.isDecimal ? exponentOf(currency) : 0);
    if (amountMinor !== undefined && amountMinor <= offer.customUpToMinor) return customTip(amountMinor);
    prompt = words.most(offer.customUpToMinor);
  }
  return noTip;
}

/** The time is over: the shop gets what it has asked for. */
function unentered({ status }: InputResult): TipAnswer {
  return status === 'CANCELLED' ? 'STOPPED' : noTip;
}

async function put(question: TipQuestion, request: InputRequest): Promise<InputResult> {
  const timeoutMs = question.leftMs();
  if (timeoutMs < MIN_INPUT_TIMEOUT_MS) return { status: 'TIMEOUT' };
  return await question.input({ ...request, timeoutMs });
}

/** Keypads that show a decimal point show two places behind it. */
const DECIMAL_PLACES = 2;

function amountInputOf({ inputTypes }: Pick<TerminalCapabilities, 'inputTypes'>, currency: string) {
  if (inputTypes.has('DECIMAL') && exponentOf(currency) === DECIMAL_PLACES) {
    return { inputType: 'DECIMAL', isDecimal: true } as const;
  }
  return inputTypes.has('DIGITS') ? ({ inputType: 'DIGITS', isDecimal: false } as const) : undefined;
}

/** '12.50' with two places: 1250; nothing typed: 0; undefined for what is no amount. */
function minorOf(text: string, exponent: number): number | undefined {
  if (text === '') return 0;
  const [, whole, places = ''] = /^(\d{1,15})(?:[.,](\d{0,4}))?$/.exec(text) ?? [];
  if (whole === undefined || places.length > exponent) return undefined;
  const minor = Number(whole + places.padEnd(exponent, '0'));
  return Number.isSafeInteger(minor) ? minor : undefined;
}
