import { useEffect } from 'react';
import { useConsole } from '../hooks/console-context.ts';

/** Milliseconds between two messages that somebody is at the screen. */
const touchIntervalMs = 10_000;

/** Tells the till that a person is at the screen, so that it does not lock under their hands. */
export function useTouches(isActive: boolean): void {
  const api = useConsole();
  useEffect(() => {
    if (!isActive) return;
    let lastMs = Number.NEGATIVE_INFINITY;
    const touch = (event: Event) => {
      if (event.timeStamp - lastMs < touchIntervalMs) return;
      lastMs = event.timeStamp;
      // A till that does not hear it locks the screen: nothing worse, and the banner tells why.
      api.call('session.touch', {}).catch(() => undefined);
    };
    window.addEventListener('pointerdown', touch, { capture: true });
    window.addEventListener('keydown', touch, { capture: true });
    return () => {
      window.removeEventListener('pointerdown', touch, { capture: true });
      window.removeEventListener('keydown', touch, { capture: true });
    };
  }, [api, isActive]);
}
