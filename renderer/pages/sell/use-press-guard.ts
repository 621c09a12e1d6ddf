import { useEffect, useRef } from 'react';

/** The second press of a double click is not meant for what has just taken the place of the first. */
const settleMs = 400;

/** Makes handlers that do nothing within the first moment in which their panel is shown. */
export function usePressGuard(): (handler: () => void) => () => void {
  const shownAtMs = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    shownAtMs.current = performance.now();
  }, []);
  return (handler) => () => {
    if (performance.now() - shownAtMs.current >= settleMs) handler();
  };
}
