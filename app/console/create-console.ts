import type { ConsoleAnswer, ConsoleClientFunctions, SignedOutReason } from '../contract/console/channel.ts';
import { createActivityHandlers } from './activity-procedures.ts';
import { createAttentionHandlers } from './attention-procedures.ts';
import { startAutoPrint } from './auto-print.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import type { Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { consoleEventOf } from './console-events.ts';
import { createDayHandlers } from './day-procedures.ts';
import { createDayScheduleHandlers } from './day-schedule-procedures.ts';
import { createExportHandlers } from './export-procedures.ts';
import { createHostHandlers } from './host-procedures.ts';
import { createIntegrationHandlers } from './integration-procedures.ts';
import { createPinCheck } from './pin-check.ts';
import { createPrintingHandlers } from './printing-procedures.ts';
import { createConsoleRouter } from './router.ts';
import { createSellHandlers } from './sell-procedures.ts';
import { createSessionHandlers } from './session-procedures.ts';
import { createSettingsHandlers } from './settings-procedures.ts';
import { createStaffBook } from './staff-book.ts';
import { createStaffHandlers } from './staff-procedures.ts';
import { createSupportHandlers } from './support-procedures.ts';
import { createTerminalHandlers } from './terminal-procedures.ts';
import { createTerminalSearchHandlers } from './terminal-search-procedures.ts';
import { createTerminalTroubles } from './terminal-troubles.ts';
import { ensureTrainingStaff } from './training-staff.ts';
import { createHand } from './virtual-hand.ts';
import { createVirtualHandlers } from './virtual-procedures.ts';
import { createVirtualWatch } from './virtual-watch.ts';

/** One open window of the console. */
export interface ConsoleConnection {
  /** Never rejects: a refusal is an answer. */
  call(name: string, request: unknown): Promise<ConsoleAnswer<unknown>>;
  close(): void;
}

/** The operator's console, whatever carries it. */
export interface OperatorConsole {
  /** Lets a browser in; returns its cookie. */
  admit(): string;
  isAdmitted(cookie: string): boolean;
  /** The browser's session; undefined for one that was not let in, or where nobody is signed in. */
  signedInSession(cookie: string): string | undefined;
  /** @param screen told what happens, for as long as the connection is open. Undefined for a browser that was not let in. */
  connect(cookie: string, screen: ConsoleClientFunctions): ConsoleConnection | undefined;
  close(): void;
}

/** Puts the console together, with the ready administrator where the till is in training. */
export async function createConsole(deps: ConsoleDeps): Promise<OperatorConsole> {
  await ensureTrainingStaff(deps);
  const sessions = createBrowserSessions(deps);
  const staff = createStaffBook(deps);
  const checkPin = createPinCheck(deps);
  const dayHandlers = createDayHandlers(deps);
  const terminalTroubles = createTerminalTroubles(deps);
  /** Open windows, each with the browser it belongs to. */
  const windows = new Map<ConsoleClientFunctions, string>();
  const watch = createVirtualWatch(deps.virtualTerminals, (terminalId, view) => {
    for (const [screen, sessionId] of windows)
      if (sessions.isSignedIn(sessionId)) screen.virtualTerminal(terminalId, view);
  });
  const hand = createHand(deps.virtualTerminals);
  const handlers: Handlers = {
    ...createSessionHandlers(deps, { sessions, staff, checkPin }),
    ...createStaffHandlers(staff, sessions),
    ...createSettingsHandlers(deps),
    ...createSellHandlers(deps, hand),
    ...createActivityHandlers(deps),
    ...createAttentionHandlers(deps, terminalTroubles),
    ...createDayScheduleHandlers(deps),
    ...createExportHandlers(deps),
    ...dayHandlers,
    ...createPrintingHandlers(deps, dayHandlers),
    ...createTerminalHandlers(deps),
    ...createTerminalSearchHandlers(deps),
    ...createVirtualHandlers(deps, { watch, hand }),
    ...createIntegrationHandlers(deps),
    ...createSupportHandlers(deps),
    ...createHostHandlers(deps),
  };
  const router = createConsoleRouter(deps, { sessions, checkPin, handlers });

  function signedOut(sessionId: string, staffId: string, reason: SignedOutReason): void {
    const actor = `console:${deps.journal.findStaff(staffId)?.name ?? staffId}`;
    const entry = { at: nowIso(deps.clock), actor, action: 'SIGNED_OUT', subjectId: staffId, text: reason } as const;
    deps.journal.commit((unit) => unit.appendAudit(entry));
    for (const [screen, owner] of windows) if (owner === sessionId) screen.signedOut(reason);
  }

  const unsubscribe = deps.till.subscribe((event) => {
    const shown = consoleEventOf(event);
    if (shown === undefined) return;
    for (const [screen, sessionId] of windows) if (sessions.isSignedIn(sessionId)) screen.event(shown);
  });
  sessions.onSignedOut(signedOut);
  const stopAutoPrint = startAutoPrint(deps);

  return {
    admit: sessions.admit,
    isAdmitted: (cookie) => sessions.find(cookie) !== undefined,
    signedInSession(cookie) {
      const session = sessions.find(cookie);
      return session?.staffId() === undefined ? undefined : session.sessionId;
    },
    connect(cookie, screen) {
      const session = sessions.find(cookie);
      if (session === undefined) return undefined;
      windows.set(screen, session.sessionId);
      return {
        call: (name, request) => router.call(session, name, request),
        close: () => {
          windows.delete(screen);
          if (windows.size === 0) watch.stop();
        },
      };
    },
    close() {
      unsubscribe();
      stopAutoPrint();
      terminalTroubles.close();
      watch.stop();
      sessions.close();
    },
  };
}
