import { BridgeError } from '../contract/errors.ts';
import type { VirtualTerminalControl } from '../ports/virtual-terminal.ts';
import type { Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Hand } from './virtual-hand.ts';
import type { VirtualWatch } from './virtual-watch.ts';

type VirtualHandlers = Pick<Handlers, 'virtual.state' | 'virtual.act'>;

/** The drawn terminal: what a virtual terminal shows, and what a person does to it. */
export function createVirtualHandlers(
  { virtualTerminals }: ConsoleDeps,
  { watch, hand }: { readonly watch: VirtualWatch; readonly hand: Hand },
): VirtualHandlers {
  function controlOf(terminalId: string): VirtualTerminalControl {
    const control = virtualTerminals.controlOf(terminalId);
    if (control !== undefined) return control;
    throw new BridgeError('NOT_FOUND', 'there is no virtual terminal with this id', { field: 'terminalId' });
  }

  return {
    async 'virtual.state'(_call, { terminalId }) {
      watch.follow(terminalId);
      // A terminal that does not answer is like none: its chip says that it is not connected.
      const seen = await virtualTerminals
        .controlOf(terminalId)
        ?.look()
        .catch(() => undefined);
      if (seen === undefined) return { cards: [], isAlwaysInHand: false };
      const { rules, faults, playsIssuer } = seen.script;
      const script = { rules: [...rules], faults: [...faults], playsIssuer };
      return { view: seen.view, cards: [...seen.cards], script, isAlwaysInHand: seen.isAlwaysInHand };
    },
    async 'virtual.act'(_call, { terminalId, action }) {
      const control = controlOf(terminalId);
      try {
        if (action.kind === 'HAND') return await (action.isHeld ? hand.hold : hand.letGo)(terminalId, control);
        await hand.touch(terminalId, control);
        return await control.act(action);
      } catch (cause) {
        throw new BridgeError('TERMINAL_UNREACHABLE', 'the virtual terminal does not answer', { cause });
      }
    },
  };
}
