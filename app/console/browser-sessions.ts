import { createHash } from 'node:crypto';
import type { SignedOutReason } from '../contract/console/channel.ts';
import type { ConsoleSession } from '../domain/staff.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

const cookieBytes = 32;
/** Browsers that are known at a time; one more, and the one longest untouched is forgotten. */
const maxSessions = 32;
const dayMs = 86_400_000;
/** Days after which an untouched browser is forgotten; the cookie lasts as long. */
const sessionDays = 30;
/** Milliseconds between two writes of the last touch; what is lost at a crash only locks a little sooner. */
const touchWriteMs = 15_000;

/** A browser that was let in. */
export interface BrowserSession {
  readonly sessionId: string;
  /** Who is signed in now. */
  staffId(): string | undefined;
}

/**
 * The browsers that were let in, and who is signed in at each. Kept on disk: after a restart a browser stays in, and its person signed in as long
 * as the screen would not have locked meanwhile.
 */
export interface BrowserSessions {
  /** Lets a browser in. Returns its cookie, which is kept as a hash only. */
  admit(): string;
  find(cookie: string): BrowserSession | undefined;
  isSignedIn(sessionId: string): boolean;
  signIn(sessionId: string, staffId: string): void;
  /** Does nothing when nobody is signed in there. */
  signOut(sessionId: string, reason: SignedOutReason): void;
  /** Signs a person out everywhere but at one browser. */
  signOutStaff(staffId: string, exceptSessionId: string): void;
  /** A person did something: the screen stays unlocked for another while. */
  touch(sessionId: string): void;
  /** Something runs that the screen must not lock before; ends with the returned function. */
  begin(sessionId: string): () => void;
  /** Told once for each sign-out, whatever its reason. */
  onSignedOut(listener: (sessionId: string, staffId: string, reason: SignedOutReason) => void): void;
  /** Ends the timers. */
  close(): void;
}

interface Entry {
  session: ConsoleSession;
  touchedAtMs: number;
  writtenAtMs: number;
  running: number;
  cancelLock: () => void;
}

export function createBrowserSessions({ clock, ids, journal, settings }: ConsoleDeps): BrowserSessions {
  const lockAfterMs = () => settings.lockAfterSeconds * 1000;
  const entries = new Map<string, Entry>();
  const listeners: ((sessionId: string, staffId: string, reason: SignedOutReason) => void)[] = [];

  function load(session: ConsoleSession): void {
    const touchedAtMs = Date.parse(session.touchedAt);
    entries.set(session.sessionId, {
      session,
      touchedAtMs,
      writtenAtMs: touchedAtMs,
      running: 0,
      cancelLock: () => {},
    });
    const entry = entries.get(session.sessionId);
    if (entry !== undefined && !lockIfIdle(entry)) armLock(entry);
  }

  function save(entry: Entry, session: ConsoleSession): void {
    journal.commit((unit) => unit.saveConsoleSession(session));
    entry.session = session;
    entry.writtenAtMs = Date.parse(session.touchedAt);
  }

  function armLock(entry: Entry): void {
    entry.cancelLock();
    // What runs arms the lock again at its end.
    if (entry.session.staffId === undefined || entry.running > 0) return;
    const leftMs = Math.max(0, entry.touchedAtMs + lockAfterMs() - clock.nowMs());
    entry.cancelLock = clock.after(Math.min(leftMs, lockAfterMs()), () => {
      if (!lockIfIdle(entry)) armLock(entry);
    });
  }

  /** A clock that was set back locks too: how long nobody was there is then not known. */
  function lockIfIdle(entry: Entry): boolean {
    if (entry.session.staffId === undefined || entry.running > 0) return false;
    const idleMs = clock.nowMs() - entry.touchedAtMs;
    if (idleMs >= 0 && idleMs < lockAfterMs()) return false;
    signOut(entry, 'IDLE');
    return true;
  }

  function signOut(entry: Entry, reason: SignedOutReason): void {
    const { staffId, ...session } = entry.session;
    if (staffId === undefined) return;
    entry.cancelLock();
    save(entry, session);
    for (const listener of listeners) listener(session.sessionId, staffId, reason);
  }

  function touch(entry: Entry): void {
    const nowMs = clock.nowMs();
    entry.touchedAtMs = nowMs;
    armLock(entry);
    if (Math.abs(nowMs - entry.writtenAtMs) < touchWriteMs) return;
    save(entry, { ...entry.session, touchedAt: new Date(nowMs).toISOString() });
  }

  function forget(sessionId: string): void {
    entries.get(sessionId)?.cancelLock();
    entries.delete(sessionId);
    journal.commit((unit) => unit.forgetConsoleSession(sessionId));
  }

  function forgetOld(): void {
    const oldestMs = clock.nowMs() - sessionDays * dayMs;
    const untouchedFirst = [...entries.values()].sort((a, b) => a.touchedAtMs - b.touchedAtMs);
    for (const { session, touchedAtMs } of untouchedFirst) {
      if (touchedAtMs < oldestMs || entries.size >= maxSessions) forget(session.sessionId);
    }
  }

  for (const session of journal.listConsoleSessions()) load(session);

  return {
    admit() {
      forgetOld();
      const cookie = Buffer.from(ids.randomBytes(cookieBytes)).toString('base64url');
      const at = nowIso(clock);
      const session: ConsoleSession = { sessionId: hashOf(cookie), createdAt: at, touchedAt: at };
      journal.commit((unit) => unit.saveConsoleSession(session));
      load(session);
      return cookie;
    },
    find(cookie) {
      const entry = entries.get(hashOf(cookie));
      if (entry === undefined) return undefined;
      return {
        sessionId: entry.session.sessionId,
        staffId() {
          lockIfIdle(entry);
          return entries.get(entry.session.sessionId)?.session.staffId;
        },
      };
    },
    isSignedIn: (sessionId) => entries.get(sessionId)?.session.staffId !== undefined,
    signIn(sessionId, staffId) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      if (entry.session.staffId !== staffId) signOut(entry, 'SIGNED_OUT');
      entry.touchedAtMs = clock.nowMs();
      save(entry, { ...entry.session, staffId, touchedAt: nowIso(clock) });
      armLock(entry);
    },
    signOut(sessionId, reason) {
      const entry = entries.get(sessionId);
      if (entry !== undefined) signOut(entry, reason);
    },
    signOutStaff(staffId, exceptSessionId) {
      for (const entry of entries.values()) {
        const { session } = entry;
        if (session.staffId === staffId && session.sessionId !== exceptSessionId) signOut(entry, 'STAFF_CHANGED');
      }
    },
    touch(sessionId) {
      const entry = entries.get(sessionId);
      if (entry !== undefined) touch(entry);
    },
    begin(sessionId) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return () => {};
      entry.running += 1;
      return () => {
        entry.running -= 1;
        touch(entry);
      };
    },
    onSignedOut(listener) {
      listeners.push(listener);
    },
    close() {
      for (const entry of entries.values()) entry.cancelLock();
    },
  };
}

function hashOf(cookie: string): string {
  return createHash('sha256').update(cookie, 'utf8').digest('hex');
}
