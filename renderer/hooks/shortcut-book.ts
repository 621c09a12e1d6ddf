import type { TextKey } from '../i18n/text-key.ts';

/** A key, or several that do the same kind of thing, and what they do: bound and shown from this one statement. */
export interface Shortcut {
  /** As the browser names them: `Enter`, `/`, `ArrowDown`; `Ctrl+l`; `g 1` is one after the other. */
  readonly keys: readonly string[];
  /** As the sheet shows them: `0 – 9`, `↑ ↓`. */
  readonly shown: string;
  readonly label: TextKey;
  /** Values of the label. */
  readonly values?: Readonly<Record<string, string>>;
  /** What it does; false when it has no use for the key just now. */
  readonly run: (key: string) => boolean | undefined;
}

/** The shortcuts that are bound at this moment, for the sheet that lists them. */
export interface ShortcutBook {
  /** The global ones first. */
  list(): readonly Shortcut[];
  subscribe(listener: () => void): () => void;
  add(shortcuts: readonly Shortcut[]): () => void;
}

export function createShortcutBook(): ShortcutBook {
  const entries = new Set<readonly Shortcut[]>();
  const listeners = new Set<() => void>();
  let all: readonly Shortcut[] = [];
  const change = () => {
    all = [...entries].flat();
    for (const listener of listeners) listener();
  };
  return {
    list: () => all,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add(shortcuts) {
      entries.add(shortcuts);
      change();
      return () => {
        entries.delete(shortcuts);
        change();
      };
    },
  };
}

/** Elements that take typed keys for themselves. */
const typingPlaces = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
/** Elements that Enter presses. */
const pressable = 'button, a[href], [role="button"], summary';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'repeat' | 'target'
>;

/**
 * The name under which shortcuts know a press; undefined for a press that belongs to something else: to a field, a dialog or a menu, and Enter to
 * what it presses.
 */
export function shortcutKeyOf(press: KeyPress): string | undefined {
  if (press.metaKey || press.altKey || press.defaultPrevented || press.repeat) return undefined;
  if (press.ctrlKey) return `Ctrl+${press.key.toLowerCase()}`;
  const target = press.target instanceof Element ? press.target : undefined;
  if (target?.closest(typingPlaces)) return undefined;
  if (press.key === 'Enter' && target?.closest(pressable)) return undefined;
  return press.key;
}
