import { BridgeError } from '../contract/errors.ts';
import { type LinkAnswer, LinkCall } from '../contract/host/link.ts';
import { validate } from '../contract/validate.ts';
import type { Log } from '../ports/log.ts';
import { MAX_LINKED_CALLS } from './sync-limits.ts';

type Told = Pick<LinkAnswer, 'statusCode' | 'headers' | 'body'>;

interface CallsDeps {
  readonly terminalId: string;
  readonly log: Log;
  onCall(call: LinkCall): Promise<Told>;
}

/**
 * Answers what the host sends as a call. What has a part that this till does not know is refused and not run, since that part might say what is to be
 * charged; so is a call beyond the bound. A call that comes again while it runs is the same one: refused, it would pass for a refusal of the first.
 * @returns what answers the call of a document; undefined: the answer of the first is the answer
 */
export function createCallAnswers(deps: CallsDeps): (callId: string, document: unknown) => Promise<Told | undefined> {
  const { terminalId, log } = deps;
  const running = new Set<string>();

  return async (callId, document) => {
    const call = read(document);
    if (call === undefined) {
      log.warn('A call over the link was refused: this till does not know its form.', {
        terminalId,
        requestId: callId,
      });
      return refusal(new BridgeError('INVALID_REQUEST', UNKNOWN_FORM));
    }
    if (running.has(callId)) return undefined;
    if (running.size >= MAX_LINKED_CALLS) {
      const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      return refusal(new BridgeError('RATE_LIMITED', 'too many calls run for this terminal', { details }));
    }
    running.add(callId);
    try {
      return await deps.onCall(call);
    } finally {
      running.delete(callId);
    }
  };
}

const UNKNOWN_FORM = 'the host passed the call on in a form that the till does not know; it was not run';
const RETRY_AFTER_SECONDS = 1;

function read(document: unknown): LinkCall | undefined {
  try {
    return validate(LinkCall, document);
  } catch {
    return undefined;
  }
}

/** As the till's own address would write it. */
function refusal(error: BridgeError): Told {
  const { retryAfterSeconds } = error.details ?? {};
  return {
    statusCode: error.httpStatus,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: JSON.stringify(error.toResponse()),
  };
}
