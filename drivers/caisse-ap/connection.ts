// One connection, for one request and its reply.
import type { Clock } from '../../app/ports/clock.ts';
import type { LineConnection, LineEvents } from '../session/attached-line.ts';
import type { LinkFactory } from '../session/link.ts';

/** The reply, or why there is none. After LOST the terminal may have done everything that it was asked for. */
type Answer =
  | { readonly kind: 'REPLY'; readonly bytes: Uint8Array }
  /** In words that go on from "The answer to the request was lost:". */
  | { readonly kind: 'LOST'; readonly reason: string };

export interface CaisseApConnection extends LineConnection {
  /** Sends the request and waits for its reply. Once in the life of a connection. */
  ask(request: Uint8Array, timeoutMs: number): Promise<Answer>;
  /** Nothing was asked, or what was asked is answered, and nothing came that makes no sense: its end is no fault. */
  endsWell(): boolean;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly createLink: LinkFactory;
  readonly events: LineEvents;
}

export function createCaisseApConnection({ clock, createLink, events }: ConnectionDeps): CaisseApConnection {
  let phase: 'FRESH' | 'ASKED' | 'ANSWERED' = 'FRESH';
  let isTrusted = true;
  let answered = (_answer: Answer): void => undefined;

  const link = createLink({
    onMessage(bytes) {
      events.onReceived();
      if (phase === 'ASKED') return end({ kind: 'REPLY', bytes });
      // A reply to nothing, or a second one: whoever sends that is not relied on.
      isTrusted = false;
      events.onReport('a reply that nobody asked for', bytes.length);
      void link.close('the terminal sent a reply that nobody asked for');
    },
    onDown(reason) {
      if (phase === 'ASKED') end({ kind: 'LOST', reason });
      events.onDown(reason);
    },
    onReport(what, byteCount) {
      isTrusted = false;
      events.onReport(what, byteCount);
    },
  });

  function end(answer: Answer): void {
    phase = answer.kind === 'REPLY' ? 'ANSWERED' : phase;
    answered(answer);
  }

  function ask(request: Uint8Array, timeoutMs: number): Promise<Answer> {
    if (phase !== 'FRESH') throw new Error('a connection takes one request');
    phase = 'ASKED';
    return new Promise((resolve) => {
      const stopTimer = clock.after(timeoutMs, () => {
        void link.close(`the terminal did not answer within ${timeoutMs / 1_000} s`);
      });
      answered = (answer) => {
        stopTimer();
        resolve(answer);
      };
      // A write that fails may have sent some of it; the link closes then, and says so.
      link.send(request).catch(() => end({ kind: 'LOST', reason: 'the request could not be written' }));
    });
  }

  return {
    open: (signal) => link.open(signal),
    isOpen: () => link.isOpen(),
    close: (reason) => link.close(reason),
    ask,
    endsWell: () => isTrusted && phase !== 'ASKED',
  };
}
