import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MAX_TRACED_MESSAGES } from '../contract/console/console-limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { WireTrace, WireTraces } from '../ports/wire-traces.ts';

/** Milliseconds after a message until the file has it: many messages of a payment are written together. */
const writeAfterMs = 2_000;
/** Terminals of which messages are kept. */
const maxTerminals = 32;

interface WireTracesOptions {
  readonly clock: Clock;
  /** File that holds the newest messages for the support bundle; written as a whole, so it is as bounded as they are. */
  readonly path: string;
}

/** The newest messages of each terminal, in memory and, a little later, in a file. A disk that refuses disturbs nobody. */
export function openWireTraces({ clock, path }: WireTracesOptions): WireTraces & { close(): void } {
  const rings = new Map<string, WireTrace[]>();
  let sequence = 0;
  let cancelWrite: (() => void) | undefined;
  let isWriting = false;

  function ringOf(terminalId: string): WireTrace[] | undefined {
    const found = rings.get(terminalId);
    if (found !== undefined || rings.size >= maxTerminals) return found;
    const made: WireTrace[] = [];
    rings.set(terminalId, made);
    return made;
  }

  function content(): string {
    const all = [...rings.values()].flat().sort((one, other) => one.sequence - other.sequence);
    return all.map((trace) => `${JSON.stringify(trace)}\n`).join('');
  }

  function writeSoon(): void {
    if (cancelWrite !== undefined || isWriting) return;
    cancelWrite = clock.after(writeAfterMs, () => {
      cancelWrite = undefined;
      isWriting = true;
      void writeNow().finally(() => {
        isWriting = false;
      });
    });
  }

  async function writeNow(): Promise<void> {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, content(), { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch {
      // The next message tries again.
    }
  }

  return {
    record(terminalId, message) {
      const ring = ringOf(terminalId);
      if (ring === undefined) return;
      sequence += 1;
      ring.push({ sequence, at: new Date(clock.nowMs()).toISOString(), terminalId, ...message });
      if (ring.length > MAX_TRACED_MESSAGES) ring.shift();
      writeSoon();
    },
    of: (terminalId) => [...(rings.get(terminalId) ?? [])],
    close() {
      cancelWrite?.();
      if (sequence === 0) return;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(`${path}.last`, content(), { mode: 0o600 });
        renameSync(`${path}.last`, path);
      } catch {
        // They were for support only.
      }
    },
  };
}

/** Where a data folder keeps them. */
export const wireTracesFile = 'traces/wire.jsonl';
