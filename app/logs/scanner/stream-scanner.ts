import { createCleanRuns } from './clean-runs.ts';
import type { Finding } from './finding.ts';
import { scanBytes } from './scan-bytes.ts';

/** Bytes that are looked at together, and those of them that are looked at once more with what follows: longer than any value that is looked for. */
const windowBytes = 256 * 1024;
const overlapBytes = 16 * 1024;
const lineFeed = 10;
/** Findings that are kept. */
const maxFindings = 100;

/** Looks for card data and keys in bytes that come piece by piece; never holds more than one window of them. */
export interface StreamScanner {
  write(chunk: Buffer): void;
  /** Looks at the rest. Returns everything that was found. */
  end(): readonly Finding[];
}

export function createStreamScanner(): StreamScanner {
  const window = Buffer.alloc(windowBytes);
  const clean = createCleanRuns();
  const findings = new Map<string, Finding>();
  let filled = 0;
  let windowOffset = 0;

  function look(end: number): void {
    for (const finding of scanBytes(window.subarray(0, end), windowOffset, clean)) {
      const key = `${finding.kind} ${finding.offset} ${finding.through.join(' ')}`;
      if (findings.size < maxFindings) findings.set(key, finding);
    }
  }

  /** The nearest beginning of a line before: an identifier that is cut in two is none, and its digits could be taken for a card number. */
  function lineBefore(position: number): number {
    const begin = window.lastIndexOf(lineFeed, position - 1) + 1;
    return begin > position - overlapBytes ? begin : position;
  }

  function lookAndMoveOn(): void {
    const end = lineBefore(filled);
    look(end);
    const next = lineBefore(end - overlapBytes);
    window.copy(window, 0, next, filled);
    windowOffset += next;
    filled -= next;
  }

  return {
    write(chunk) {
      for (let taken = 0; taken < chunk.length; ) {
        const copied = chunk.copy(window, filled, taken, Math.min(chunk.length, taken + windowBytes - filled));
        filled += copied;
        taken += copied;
        if (filled === windowBytes) lookAndMoveOn();
      }
    },
    end() {
      look(filled);
      return [...findings.values()];
    },
  };
}
