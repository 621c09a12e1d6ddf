import { type ActionName, tellableError } from '../../http/session-messages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestLog } from '../../ports/request-log.ts';
import type { PosCaller } from '../plugins/admission.ts';

/** One message of a session, as the list of requests names it. */
interface ActionOpening {
  /** Absent for a message that asks for none of our actions. */
  readonly name?: ActionName | undefined;
  readonly caller: PosCaller | null;
  readonly requestId: string;
  readonly origin?: string | undefined;
}

/** Tells once how an action ended: refused with an error, or answered. */
export type EndAction = (error?: unknown) => void;

const answered = 200;

/** Begins the entry of an action in the list of requests; nothing of what the client wrote is in it but the name of the action. */
export function beginAction(requests: RequestLog, clock: Clock, opening: ActionOpening): EndAction {
  const begunMs = clock.monotonicMs();
  return (error) => {
    const { name, caller, requestId, origin } = opening;
    const refusal = error === undefined ? undefined : tellableError(error, requestId);
    requests.record({
      method: 'WS',
      statusCode: refusal?.httpStatus ?? answered,
      durationMs: Math.round(clock.monotonicMs() - begunMs),
      requestId,
      ...(name === undefined ? {} : { path: name }),
      ...(caller === null ? {} : { clientName: caller.name }),
      ...(refusal === undefined ? {} : { errorCode: refusal.code }),
      ...(origin === undefined ? {} : { origin }),
    });
  };
}
