import type { LinkFactory } from './link.ts';

/**
 * A link whose messages somebody looks at, each after it has been handed on: what goes over the line never waits for it, and what goes wrong in looking
 * at it disturbs nobody.
 */
export function tracedLink(
  createLink: LinkFactory,
  onTrace: (direction: 'TO_TERMINAL' | 'FROM_TERMINAL', message: Uint8Array) => void,
): LinkFactory {
  const trace = (direction: 'TO_TERMINAL' | 'FROM_TERMINAL', message: Uint8Array): void => {
    try {
      onTrace(direction, message);
    } catch {
      // A trace that is not there does no harm.
    }
  };
  return (listeners) => {
    const link = createLink({
      ...listeners,
      onMessage(message) {
        listeners.onMessage(message);
        trace('FROM_TERMINAL', message);
      },
    });
    return {
      ...link,
      send(message, yieldsToPeer) {
        const sent = link.send(message, yieldsToPeer);
        trace('TO_TERMINAL', message);
        return sent;
      },
    };
  };
}
