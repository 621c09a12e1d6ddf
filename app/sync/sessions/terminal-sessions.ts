import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import type { LinkedCalls } from '../../ports/linked-calls.ts';
import type { Log } from '../../ports/log.ts';
import type { SessionTill } from '../../ports/payment-sessions.ts';
import type { HostLink } from '../host-link.ts';
import { createTerminalLink } from '../terminal-link.ts';
import { createRemoteSessions } from './remote-sessions.ts';
import { createSessionStore } from './session-store.ts';

export interface TerminalSessionsDeps {
  readonly terminalId: string;
  readonly hostLink: HostLink;
  readonly till: SessionTill;
  readonly calls: LinkedCalls;
  /** The host has another configuration for the terminal. */
  onConfiguration(): void;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** What the host asks for at one terminal of the till: woken over its link, run by the engine. */
export interface TerminalSessions {
  start(): void;
  /** The host answers again, or is another one: the link is tried at once. */
  retry(): void;
  stop(): void;
}

export function createTerminalSessions(deps: TerminalSessionsDeps): TerminalSessions {
  const { terminalId, hostLink, till, calls, journal, clock, ids, log } = deps;
  const sessions = createRemoteSessions({
    ...{ terminalId, till, clock, ids, log },
    host: hostLink.client,
    identityOf: hostLink.identityOf,
    readConfiguration: async (signal) => void (await hostLink.check(signal)),
    store: createSessionStore(journal, terminalId),
  });
  const link = createTerminalLink({
    ...{ terminalId, clock, ids, log },
    access: hostLink.access,
    epoch: hostLink.epoch,
    onCall: (call) => calls.answer(terminalId, call),
    listen: (tell) =>
      till.subscribe((event) => {
        if (event.terminalId === terminalId) tell(event);
      }),
    onWake(subject) {
      if (subject === 'PAYMENT_SESSION') sessions.wake();
      else deps.onConfiguration();
    },
  });
  return {
    start() {
      sessions.start();
      link.start();
    },
    retry: link.retry,
    stop() {
      link.stop();
      sessions.stop();
    },
  };
}
