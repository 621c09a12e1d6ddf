import { Transform, type TransformCallback } from 'node:stream';
import type { LogLine } from '../../ports/log-view.ts';
import { hideNumbers } from '../allowed-fields.ts';
import { parseLogLine } from '../parse-log-line.ts';
import { createCleanRuns } from '../scanner/clean-runs.ts';
import type { SecretKind } from '../scanner/finding.ts';
import { scanBytes } from '../scanner/scan-bytes.ts';

/** Bytes of lines that are judged together; one by one only when something is found in them. */
const blockBytes = 64 * 1024;
/** A longer line is none of the log's. */
const maxLineBytes = 32 * 1024;

/** A line in which something was found: where, and of which kinds. Never what. */
interface SuspectLine {
  /** From 1. */
  readonly line: number;
  readonly kinds: readonly SecretKind[];
}

export interface LogLines extends Transform {
  /** Lines that did not come through: not of the log's form, or holding what a scan takes for card data or a key. */
  removedLines(): number;
  /** Those of them in which something was found; the first ones when there are many. */
  suspectLines(): readonly SuspectLine[];
}

/** Suspect lines that are told one by one. */
const maxSuspectLines = 100;

interface Kept {
  readonly line: number;
  /** As it stands in the log, by the allowed fields: what is judged. */
  readonly told: string;
  /** The same with long numbers hidden: what comes through. */
  readonly clean: string;
}

/** Lines of the log for the bundle: only the fields that are allowed, and no line in which anything is found. */
export function createLogLines(): LogLines {
  const known = createCleanRuns();
  let rest = Buffer.alloc(0);
  let lines: Kept[] = [];
  let linesBytes = 0;
  let removed = 0;
  let lineNumber = 0;
  let isInLongLine = false;
  const suspects: SuspectLine[] = [];

  function take(bytes: Buffer): void {
    const kept = isInLongLine || bytes.length > maxLineBytes ? undefined : keptLine(bytes.toString('utf8'));
    isInLongLine = false;
    if (bytes.length === 0) return;
    lineNumber += 1;
    if (kept === undefined) removed += 1;
    else {
      lines.push({ line: lineNumber, ...kept });
      linesBytes += kept.told.length;
    }
  }

  function judged(): Buffer {
    const whole = scanBytes(Buffer.from(lines.map(({ told }) => told).join('')), 0, known);
    const through = whole.length === 0 ? lines : lines.filter(isClean);
    removed += lines.length - through.length;
    lines = [];
    linesBytes = 0;
    return Buffer.from(through.map(({ clean }) => clean).join(''));
  }

  function isClean({ line, told }: Kept): boolean {
    const kinds = [...new Set(scanBytes(Buffer.from(told), 0, known).map(({ kind }) => kind))];
    if (kinds.length > 0 && suspects.length < maxSuspectLines) suspects.push({ line, kinds });
    return kinds.length === 0;
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        take(rest.length === 0 ? chunk.subarray(from, end) : Buffer.concat([rest, chunk.subarray(from, end)]));
        rest = Buffer.alloc(0);
        from = end + 1;
        if (linesBytes >= blockBytes) this.push(judged());
      }
      rest = Buffer.concat([rest, chunk.subarray(from)]);
      if (rest.length > maxLineBytes) {
        isInLongLine = true;
        rest = Buffer.from('…');
      }
      done();
    },
    flush(done) {
      take(rest);
      this.push(judged());
      done();
    },
  });
  return Object.assign(stream, { removedLines: () => removed, suspectLines: () => suspects });
}

/** Characters of a line none of whose texts can have been cut. */
const maxUncutCharacters = 500;

/** The line with its allowed fields only; undefined when it is no line of the log. */
function keptLine(text: string): Omit<Kept, 'line'> | undefined {
  const line = parseLogLine(text, (value) => value);
  if (line === undefined) return undefined;
  const told = lineOf(line);
  // Most lines hold nothing to hide, and need not be read twice.
  if (told.length <= maxUncutCharacters && hideNumbers(told) === told) return { told, clean: told };
  const cleaned = parseLogLine(text);
  return cleaned && { told, clean: lineOf(cleaned) };
}

/** Numbers are rounded: a fraction has digits enough to look like a card number. */
function lineOf({ level, at, message, fields }: Omit<LogLine, 'sequence'>): string {
  const written: Record<string, string | number> = { level, time: at, message };
  for (const [name, value] of Object.entries(fields)) {
    written[name] = typeof value === 'number' ? Math.round(value) : value;
  }
  return `${JSON.stringify(written)}\n`;
}
