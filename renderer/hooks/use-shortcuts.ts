import { createContext, useContext, useEffect, useRef } from 'react';
import { createShortcutBook, type Shortcut, shortcutKeyOf } from './shortcut-book.ts';

/** The book of the frame; a component outside of it has one that nobody reads. */
export const ShortcutContext = createContext(createShortcutBook());

/** Milliseconds within which the second key of `g 1` has to follow. */
const sequenceMs = 1500;

/** Binds the shortcuts while the component is shown, and lists them in the sheet: what is listed works, and what works is listed. */
export function useShortcuts(shortcuts: readonly Shortcut[], isActive = true): void {
  const book = useContext(ShortcutContext);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const names = shortcuts.map(({ shown, label }) => `${shown} ${label}`).join();
  useEffect(() => {
    if (!isActive || names === '') return;
    return book.add(latest.current);
  }, [book, isActive, names]);
  useEffect(() => {
    if (!isActive) return;
    let first: { readonly key: string; readonly atMs: number } | undefined;
    const listen = (event: KeyboardEvent) => {
      const key = shortcutKeyOf(event);
      if (key === undefined) return;
      const isSecond = first !== undefined && event.timeStamp - first.atMs < sequenceMs;
      const pressed = isSecond ? `${first?.key} ${key}` : key;
      first = undefined;
      const found = latest.current.find(({ keys }) => keys.includes(pressed));
      if (found !== undefined) {
        if (found.run(pressed) !== false) event.preventDefault();
      } else if (latest.current.some(({ keys }) => keys.some((one) => one.startsWith(`${pressed} `)))) {
        first = { key: pressed, atMs: event.timeStamp };
        event.preventDefault();
      }
    };
    // The second key of a sequence belongs to it before any page sees it.
    const capture = latest.current.some(({ keys }) => keys.some((one) => one.includes(' ')));
    window.addEventListener('keydown', listen, { capture });
    return () => window.removeEventListener('keydown', listen, { capture });
  }, [isActive]);
}
