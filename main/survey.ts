import { terminalProtocolNames } from '../app/contract/console/terminals.ts';
import { Secret } from '../app/domain/secret.ts';
import type { Candidate, SearchResult, TerminalFinder } from '../app/ports/terminal-finder.ts';

/** A place of this machine that was asked, and what it is. */
export interface Finding {
  /** A serial port, or the numbers of a USB reader. */
  readonly place: string;
  readonly description?: string;
  readonly result: SearchResult;
  /** What --terminal takes; where something was found. */
  readonly url?: string;
}

export interface SurveyOptions {
  /** Only this serial port; every port and reader when absent. */
  readonly port?: string;
  /** Also the speeds at which terminals seldom stand. */
  readonly asksAllSpeeds: boolean;
  readonly currency: string;
}

const COMMON_BAUD_RATES = [115_200, 9_600] as const;
const OTHER_BAUD_RATES = [57_600, 38_400, 19_200] as const;
/** What ZVT terminals come with; the question that is asked needs none. */
const password = new Secret('000000');

/** Asks every reader and serial port, one after the other, what it speaks. Nothing that moves money is sent. */
export async function* surveyOf(
  finder: TerminalFinder,
  options: SurveyOptions,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { currency } = options;
  if (options.port === undefined) {
    for (const { address, description, ...numbers } of (await finder.readers()).readers) {
      const candidate = { line: { kind: 'HID', ...numbers }, password, currency } as const;
      yield findingOf(finder, { place: address, description }, candidate, await finder.search(candidate, signal));
    }
  }
  const ports = options.port === undefined ? await finder.serialPorts() : [{ path: options.port }];
  for (const port of ports) yield askPort(finder, port, options, signal);
}

async function askPort(
  finder: TerminalFinder,
  { path, description }: { readonly path: string; readonly description?: string },
  { asksAllSpeeds, currency }: SurveyOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const place = { place: path, description };
  let said: SearchResult | undefined;
  for (const baudRate of asksAllSpeeds ? [...COMMON_BAUD_RATES, ...OTHER_BAUD_RATES] : COMMON_BAUD_RATES) {
    const candidate = { line: { kind: 'SERIAL', path, baudRate }, password, currency } as const;
    const result = await finder.search(candidate, signal);
    if (result.kind === 'FOUND') return findingOf(finder, place, candidate, result);
    said = moreTelling(said, result);
    // Another speed cannot open what does not open.
    if (result.problem !== 'NO_ANSWER' && result.problem !== 'NOT_READABLE') break;
  }
  const silent = { kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: `${path} was not asked.` } as const;
  return { ...placeOf(place), result: said ?? silent };
}

/** Bytes that cannot be read say more than silence. */
function moreTelling(before: SearchResult | undefined, next: SearchResult): SearchResult {
  const isBetter = before?.kind === 'NOT_FOUND' && before.problem === 'NOT_READABLE';
  return isBetter && next.kind === 'NOT_FOUND' && next.problem === 'NO_ANSWER' ? before : next;
}

interface Place {
  readonly place: string;
  readonly description?: string | undefined;
}

function findingOf(finder: TerminalFinder, place: Place, candidate: Candidate, result: SearchResult): Finding {
  if (result.kind !== 'FOUND') return { ...placeOf(place), result };
  const { protocol, lrc } = result;
  const found = { ...candidate, protocol, ...(lrc === undefined ? {} : { lrc }) };
  return { ...placeOf(place), result, url: finder.urlOf(found) };
}

function placeOf({ place, description }: Place): Pick<Finding, 'place' | 'description'> {
  return { place, ...(description === undefined ? {} : { description }) };
}

/** A finding for people: the place, what it speaks or why that is not known, and what to do next. */
export function describeFinding({ place, description, result, url }: Finding): string {
  const title = description === undefined ? place : `${place} (${description})`;
  if (result.kind === 'FOUND') {
    const firmware = result.firmwareVersion === undefined ? '' : `, ${result.firmwareVersion}`;
    return [
      title,
      `  speaks ${terminalProtocolNames[result.protocol]}${firmware}`,
      `  npm start -- --terminal "${url ?? ''}"`,
    ].join('\n');
  }
  const holder = result.holder === undefined ? [] : [`  held by ${result.holder}`];
  const command = result.command === undefined ? [] : [`  ${result.command}`];
  return [title, `  ${result.words}`, ...holder, ...command].join('\n');
}
