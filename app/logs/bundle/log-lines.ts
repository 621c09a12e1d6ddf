import { Transform, type TransformCallback } from 'node:stream';
import type { LogFields } from '../../ports/log.ts';
import { allowedFields, cleanText } from '../allowed-fields.ts';
import { scanBytes } from '../scanner/scan-bytes.ts';

/** Bytes of lines that are judged together; one by one only when something is found in them. */
const blockBytes = 64 * 1024;
/** A longer line is none of the log's. */
const maxLineBytes = 32 * 1024;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const levels = ['debug', 'info', 'warn', 'error'];

export interface LogLines extends Transform {
  /** Lines that did not come through: not of the log's form, or holding what a scan takes for card data or a key. */
  removedLines(): number;
}

/** Lines of the log for the bundle: only the fields that are allowed, and no line in which anything is found. */
export function createLogLines(): LogLines {
  let rest = Buffer.alloc(0);
  let lines: string[] = [];
  let linesBytes = 0;
  let removed = 0;
  let isInLongLine = false;

  function take(bytes: Buffer): void {
    const kept = isInLongLine || bytes.length > maxLineBytes ? undefined : keptLine(bytes.toString('utf8'));
    isInLongLine = false;
    if (bytes.length === 0) return;
    if (kept === undefined) removed += 1;
    else {
      lines.push(kept);
      linesBytes += kept.length;
    }
  }

  function judged(): Buffer {
    const block = Buffer.from(lines.join(''));
    const isClean = scanBytes(block).length === 0;
    const clean = isClean
      ? block
      : Buffer.from(lines.filter((line) => scanBytes(Buffer.from(line)).length === 0).join(''));
    if (!isClean) removed += lines.length - clean.toString('utf8').split('\n').length + 1;
    lines = [];
    linesBytes = 0;
    return clean;
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        take(Buffer.concat([rest, chunk.subarray(from, end)]));
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
  return Object.assign(stream, { removedLines: () => removed });
}

/** The line with its allowed fields only; undefined when it is no line of the log. */
function keptLine(text: string): string | undefined {
  const line = objectOf(text);
  if (line === undefined) return undefined;
  const { level, time, message } = line;
  if (typeof level !== 'string' || !levels.includes(level)) return undefined;
  if (typeof time !== 'string' || !instant.test(time) || typeof message !== 'string') return undefined;
  const fields = allowedFields(line as LogFields);
  const rounded = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value) : value,
  ]);
  return `${JSON.stringify({ level, time, message: cleanText(message), ...Object.fromEntries(rounded) })}\n`;
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
