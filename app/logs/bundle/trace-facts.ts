import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wireTracesFile } from '../wire-traces.ts';
import { safeText } from './safe-text.ts';

/** What a field may look like: six bytes at most, or a number or word that is too short for a card number; see the codecs' lists. */
const shownText = /^(?:(?:[0-9A-F]{2}){1,6}|[0-9]{1,9}|[A-Z]{1,12}|true|false)$/;
/** Names of fields: bytes, letters, and the words of protocols whose fields have no names. */
const ecr17Tags =
  'till|result|action|amount|STAN|pre-authorization|state|cards|to the till|ticket|terminal total|host total';
const tag = new RegExp(`^(?:[0-9A-F]{2}|[A-Z]{2}|password|container|code|data|rest|${ecr17Tags})$`);
/** A code, in bytes or as a letter, and what it stands for. */
const name = /^(?:(?:[0-9A-F-]{4}|[A-Za-z?]) [a-z -]{1,40}|not readable)$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Bytes of the file that are read: the till writes far fewer. */
const maxFileBytes = 32 * 1024 * 1024;

/** The wire traces of a data folder: of each line what has the form of a trace. Empty where there are none. */
export function keptTraces(dataDir: string): string {
  return textOf(join(dataDir, wireTracesFile))
    .split('\n')
    .flatMap((line) => traceOf(line) ?? [])
    .map((trace) => `${JSON.stringify(trace)}\n`)
    .join('');
}

function textOf(path: string): string {
  try {
    return readFileSync(path).subarray(0, maxFileBytes).toString('utf8');
  } catch {
    return '';
  }
}

function traceOf(line: string): object | undefined {
  const given = objectOf(line);
  if (given === undefined) return undefined;
  const { at, terminalId, direction, name: called, byteCount, fields } = given;
  if (typeof at !== 'string' || !instant.test(at) || typeof terminalId !== 'string') return undefined;
  if (typeof called !== 'string' || !name.test(called) || !Number.isInteger(byteCount)) return undefined;
  if (direction !== 'TO_TERMINAL' && direction !== 'FROM_TERMINAL') return undefined;
  const kept = Array.isArray(fields) ? fields.flatMap((field: unknown) => fieldOf(field) ?? []) : [];
  return { at, terminalId: safeText(terminalId), direction, name: called, byteCount, fields: kept };
}

function fieldOf(field: unknown): object | undefined {
  if (typeof field !== 'object' || field === null) return undefined;
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(field));
  if (typeof given.tag !== 'string' || !tag.test(given.tag)) return undefined;
  if (typeof given.shown === 'string' && shownText.test(given.shown)) return { tag: given.tag, shown: given.shown };
  return Number.isInteger(given.hiddenBytes) ? { tag: given.tag, hiddenBytes: given.hiddenBytes } : undefined;
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
