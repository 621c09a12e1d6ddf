import type { Clock } from '../../../app/ports/clock.ts';
import type { AcquirerCall, LostReason } from '../../ports/acquirer.ts';

/** Messages that wait for their answers at the same time. */
const MAX_PENDING = 10_000;
/** Messages that are remembered after their calls have ended, so that a late answer finds its message and a repeated one is known. */
const MAX_REMEMBERED = 10_000;

/** What an answer was to its message. */
type Settling<Note> =
  | { readonly kind: 'MATCHED' }
  /** The same answer again. */
  | { readonly kind: 'REPEATED' }
  /** Nobody waits any more, or it says something else than the answer before. */
  | { readonly kind: 'LATE'; readonly note: Note }
  | { readonly kind: 'UNKNOWN' };

type Waited<Answer> =
  | { readonly kind: 'ANSWER'; readonly answer: Answer }
  | { readonly kind: 'LOST'; readonly reason: LostReason };

export interface PendingAnswers<Answer, Note> {
  /** Whether a message with this key and note may be sent: no other message with the key waits, and there is room. */
  canExpect(key: string, isSame: (note: Note) => boolean): boolean;
  /** Waits for the answer to a message that is being sent. Several calls may wait for the same answer: repeats of one message. */
  expect(key: string, note: Note, call: AcquirerCall): Promise<Waited<Answer>>;
  /** The message that an answer with this key is for, whether somebody waits or not. */
  noteOf(key: string): Note | undefined;
  settle(key: string, answer: Answer): Settling<Note>;
  /** The line is gone: every wait ends. */
  loseAll(reason: LostReason): void;
  size(): number;
}

interface Entry<Answer, Note> {
  readonly note: Note;
  readonly waiters: Set<(result: Waited<Answer>) => void>;
  /** as JSON; absent until it came */
  answered?: string;
}

/** Matches answers with messages by a key, never by their order. */
export function createPendingAnswers<Answer, Note>(clock: Clock): PendingAnswers<Answer, Note> {
  const pending = new Map<string, Entry<Answer, Note>>();
  /** Oldest first. */
  const remembered = new Map<string, Entry<Answer, Note>>();

  const remember = (key: string, entry: Entry<Answer, Note>) => {
    pending.delete(key);
    remembered.delete(key);
    remembered.set(key, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  const end = (entry: Entry<Answer, Note>, result: Waited<Answer>) => {
    for (const waiter of [...entry.waiters]) waiter(result);
  };

  return {
    canExpect(key, isSame) {
      const entry = pending.get(key);
      return entry === undefined ? pending.size < MAX_PENDING : isSame(entry.note);
    },
    expect(key, note, { timeoutMs, signal }) {
      const entry = pending.get(key) ?? { note, waiters: new Set() };
      pending.set(key, entry);
      return new Promise((resolve) => {
        const waiter = (result: Waited<Answer>) => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
          entry.waiters.delete(waiter);
          if (entry.waiters.size === 0 && pending.get(key) === entry) remember(key, entry);
          resolve(result);
        };
        const onAbort = () => waiter({ kind: 'LOST', reason: 'ABORTED' });
        const cancelTimeout = clock.after(timeoutMs, () => waiter({ kind: 'LOST', reason: 'TIMEOUT' }));
        entry.waiters.add(waiter);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    noteOf: (key) => (pending.get(key) ?? remembered.get(key))?.note,
    settle(key, answer) {
      const text = JSON.stringify(answer);
      const waiting = pending.get(key);
      if (waiting !== undefined) {
        waiting.answered = text;
        end(waiting, { kind: 'ANSWER', answer });
        return { kind: 'MATCHED' };
      }
      const known = remembered.get(key);
      if (known === undefined) return { kind: 'UNKNOWN' };
      if (known.answered === text) return { kind: 'REPEATED' };
      known.answered = text;
      return { kind: 'LATE', note: known.note };
    },
    loseAll(reason) {
      for (const entry of [...pending.values()]) end(entry, { kind: 'LOST', reason });
    },
    size: () => pending.size,
  };
}
