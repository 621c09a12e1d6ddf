import { ms } from './statistics.ts';

export interface Figure {
  readonly text: string;
  readonly value: string;
  /** Absent for a baseline. */
  readonly promise?: string;
  readonly isKept: boolean;
  /** What the figure is made of. */
  readonly limits?: string;
}

export function linesOf({ text, value, promise, isKept, limits }: Figure): readonly string[] {
  const verdict = promise === undefined ? '' : `   (promised ${promise})${isKept ? '' : '   NOT KEPT'}`;
  const line = `  ${text.padEnd(58)} ${value.padStart(10)}${verdict}`;
  return limits === undefined ? [line] : [line, `    ${limits}`];
}

export function baseline(text: string, valueMs: number, samples: number): Figure {
  return { text: `baseline: ${text} (${samples})`, value: ms(valueMs), isKept: true };
}

export function figure(text: string, valueMs: number, promisedMs: number, samples: number): Figure {
  return {
    text: `${text} (${samples})`,
    value: ms(valueMs),
    promise: `≤ ${promisedMs} ms`,
    isKept: samples > 0 && valueMs <= promisedMs,
  };
}
