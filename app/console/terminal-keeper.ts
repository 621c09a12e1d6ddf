import { ConsoleError, type RefusalReason } from '../contract/console/refusal.ts';
import type { KeptTerminal } from '../contract/console/terminals.ts';
import { BridgeError } from '../contract/errors.ts';
import { MAX_STORED_TERMINALS, type StoredTerminal } from '../contract/settings.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { Candidate, TerminalFinder } from '../ports/terminal-finder.ts';
import type { OpenOnTerminal } from '../services/attachments.ts';

/** What the running till does with its terminals. */
export interface TerminalSetup {
  /** The terminals of the settings are those of this run; otherwise a change holds from the next start on, and this run is left as it is. */
  readonly isChangedNow: boolean;
  readonly finder: TerminalFinder;
  /** Makes the terminal and adds it to the till. @throws BridgeError */
  attach(stored: StoredTerminal): Promise<void>;
  detach(terminalId: string): Promise<void>;
  /** What keeps a terminal from being taken away. */
  openOn(terminalId: string): OpenOnTerminal | undefined;
  /** Whether the till or its journal knows the id: no other terminal may get it. */
  isKnown(terminalId: string): boolean;
}

interface NewTerminal extends Candidate {
  readonly name: string;
  readonly isDefault: boolean;
}

/** The terminals of the settings: each change is one whole write of the settings, and holds for the running till too where it may. */
export interface TerminalKeeper {
  kept(): KeptTerminal[];
  /** @throws ConsoleError ADDRESS_TAKEN when another terminal has the line */
  requireFree(candidate: Candidate): void;
  /** @throws ConsoleError ADDRESS_TAKEN; BridgeError INVALID_REQUEST */
  add(terminal: NewTerminal): Promise<{ readonly terminalId: string; readonly isAttached: boolean }>;
  /** @throws BridgeError NOT_FOUND for a terminal that is not in the settings */
  rename(terminalId: string, name: string): void;
  makeDefault(terminalId: string): void;
  askTip(terminalId: string, asksTip: boolean): void;
  /** @throws ConsoleError saying what is open on it, or that it is the last */
  remove(terminalId: string): Promise<void>;
}

const reasons = {
  AT_WORK: { reason: 'TERMINAL_AT_WORK', words: 'the terminal is at work' },
  RESULT_UNKNOWN: {
    reason: 'TERMINAL_RESULT_UNKNOWN',
    words: 'the result of a payment on this terminal is still unknown',
  },
  HAS_HOLDS: { reason: 'TERMINAL_HAS_HOLDS', words: 'a hold on this terminal is neither completed nor released' },
  NOT_CLOSED: { reason: 'TERMINAL_NOT_CLOSED', words: 'payments of this terminal are in no day close yet' },
} as const satisfies Record<OpenOnTerminal, { readonly reason: RefusalReason; readonly words: string }>;

export function createTerminalKeeper(settings: SettingsStore, setup: TerminalSetup): TerminalKeeper {
  const { finder } = setup;
  const stored = () => settings.current().terminals;

  function save(terminals: readonly StoredTerminal[]): void {
    settings.update({ terminals: [...terminals] });
  }

  function requireKept(terminalId: string): StoredTerminal {
    const found = stored().find((one) => one.terminalId === terminalId);
    if (found === undefined) throw new BridgeError('NOT_FOUND', 'the settings have no terminal with this id');
    return found;
  }

  function requireFreeLine(line: string): void {
    if (!stored().some(({ url }) => finder.lineOf(url) === line)) return;
    throw new ConsoleError('ADDRESS_TAKEN', 'another terminal has this address', { field: 'line' });
  }

  /** What is added again where it was before goes on under its own id, with its history. */
  function formerId(line: string): string | undefined {
    const former = settings.current().formerTerminals.find(({ url }) => finder.lineOf(url) === line)?.terminalId;
    return stored().some(({ terminalId }) => terminalId === former) ? undefined : former;
  }

  /** T1, T2 …: the first that no terminal ever had. */
  function freeId(): string {
    const taken = [...stored(), ...settings.current().formerTerminals].map(({ terminalId }) => terminalId);
    for (let number = 1; ; number += 1) {
      const terminalId = `T${number}`;
      if (!taken.includes(terminalId) && !setup.isKnown(terminalId)) return terminalId;
    }
  }

  return {
    kept: () =>
      stored().map(({ terminalId, url, name, isDefault = false }) => ({
        terminalId,
        ...(name === undefined ? {} : { name }),
        address: finder.lineOf(url),
        isDefault,
        isAttached: setup.isChangedNow,
      })),

    requireFree: (candidate) => requireFreeLine(finder.lineOf(finder.urlOf(candidate))),

    async add({ name, isDefault, ...candidate }) {
      const before = stored();
      if (before.length >= MAX_STORED_TERMINALS) {
        throw new BridgeError('INVALID_REQUEST', `a till has at most ${MAX_STORED_TERMINALS} terminals`);
      }
      const url = finder.urlOf(candidate);
      const line = finder.lineOf(url);
      requireFreeLine(line);
      const terminal: StoredTerminal = {
        terminalId: formerId(line) ?? freeId(),
        url,
        name,
        ...(isDefault ? { isDefault } : {}),
      };
      // In the settings first: a terminal that took a payment is known at the next start, whatever happens in between.
      save([...(isDefault ? before.map(withoutDefault) : before), terminal]);
      try {
        if (setup.isChangedNow) await setup.attach(terminal);
      } catch (error) {
        save(stored().filter(({ terminalId }) => terminalId !== terminal.terminalId));
        throw error;
      }
      return { terminalId: terminal.terminalId, isAttached: setup.isChangedNow };
    },

    rename(terminalId, name) {
      requireKept(terminalId);
      save(stored().map((one) => (one.terminalId === terminalId ? { ...one, name } : one)));
    },

    makeDefault(terminalId) {
      requireKept(terminalId);
      save(stored().map((one) => (one.terminalId === terminalId ? { ...one, isDefault: true } : withoutDefault(one))));
    },

    askTip(terminalId, asksTip) {
      requireKept(terminalId);
      save(stored().map((one) => (one.terminalId === terminalId ? { ...one, asksTip } : one)));
    },

    async remove(terminalId) {
      const removed = requireKept(terminalId);
      if (setup.isChangedNow) {
        if (stored().length === 1) throw new ConsoleError('LAST_TERMINAL', 'one terminal must stay');
        requireNothingOpen(setup.openOn(terminalId));
        await setup.detach(terminalId);
      }
      settings.update({
        terminals: stored().filter((one) => one.terminalId !== terminalId),
        formerTerminals: [
          ...settings.current().formerTerminals.filter((one) => one.terminalId !== terminalId),
          removed,
        ].slice(-MAX_STORED_TERMINALS),
      });
    },
  };
}

/** @param allowed what may be open all the same. @throws ConsoleError saying what is open on the terminal */
export function requireNothingOpen(open: OpenOnTerminal | undefined, allowed: readonly OpenOnTerminal[] = []): void {
  if (open === undefined || allowed.includes(open)) return;
  throw new ConsoleError(reasons[open].reason, reasons[open].words);
}

function withoutDefault({ isDefault: _isDefault, ...terminal }: StoredTerminal): StoredTerminal {
  return terminal;
}
