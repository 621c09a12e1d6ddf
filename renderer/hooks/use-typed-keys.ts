import { useEffect, useRef } from 'react';

/** Elements that take typed keys for themselves. */
const typingPlaces = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
/** Elements that Enter presses. */
const pressable = 'button, a[href], [role="button"], summary';

/**
 * Calls `onKey` for keys typed anywhere on the page, except where the focus is in a field, a dialog or a menu, and except Enter on something that
 * it presses. The handler answers whether it has used the key.
 */
export function useTypedKeys(onKey: (key: string) => boolean, isActive = true): void {
  const handler = useRef(onKey);
  useEffect(() => {
    handler.current = onKey;
  });
  useEffect(() => {
    if (!isActive) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (target?.closest(typingPlaces)) return;
      if (event.key === 'Enter' && target?.closest(pressable)) return;
      if (handler.current(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isActive]);
}
