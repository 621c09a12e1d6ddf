import { LinkAnswer, type LinkCall } from '../../../app/contract/host/link.ts';
import { validate } from '../../../app/contract/validate.ts';
import type { SocketLink } from '../../../app/http/socket-link.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { CallResult } from '../../ports/terminal-calls.ts';

/** The calls that wait for an answer over one link. */
export interface LinkCalls {
  call(call: LinkCall, timeoutMs: number): Promise<CallResult>;
  /** Takes what the till has sent. @returns false for what is no answer, or answers nothing that waits */
  receive(message: string): boolean;
  isIdle(): boolean;
  /** The link is gone: what waits is lost. */
  lose(): void;
}

/**
 * An answer counts once, and only over the link that was asked: another link of the terminal may belong to another till.
 * @param maxCalls calls that wait at a time
 */
export function createLinkCalls(link: SocketLink, clock: Clock, maxCalls: number): LinkCalls {
  const waiting = new Map<string, (result: CallResult) => void>();
  return {
    call(call, timeoutMs) {
      if (waiting.has(call.callId)) throw new TypeError('the callId has been used');
      if (waiting.size >= maxCalls || !link.send(Buffer.from(JSON.stringify(call)))) {
        return Promise.resolve({ kind: 'NOT_LINKED' });
      }
      return new Promise((resolve) => {
        const end = (result: CallResult): void => {
          waiting.delete(call.callId);
          cancelTimer();
          resolve(result);
        };
        const cancelTimer = clock.after(timeoutMs, () => end({ kind: 'LOST' }));
        waiting.set(call.callId, end);
      });
    },
    receive(message) {
      const answer = answerIn(message);
      const end = answer === undefined ? undefined : waiting.get(answer.callId);
      if (answer === undefined || end === undefined) return false;
      const { statusCode, headers, body } = answer;
      end({ kind: 'ANSWERED', answer: { statusCode, headers, body } });
      return true;
    },
    isIdle: () => waiting.size === 0,
    lose() {
      for (const end of [...waiting.values()]) end({ kind: 'LOST' });
    },
  };
}

/** A newer till may say more than this host knows (decisions: Versioning). */
function answerIn(message: string): LinkAnswer | undefined {
  try {
    const { event, callId, statusCode, headers, body } = Object(JSON.parse(message));
    return validate(LinkAnswer, { event, callId, statusCode, headers, body });
  } catch {
    return undefined;
  }
}
