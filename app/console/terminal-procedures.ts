import { terminalInfoOf } from '../services/terminal-info.ts';
import { contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';

type TerminalHandlers = Pick<Handlers, 'terminals.list'>;

/** The terminals and how they are, each asked at the same time. */
export function createTerminalHandlers({ till }: ConsoleDeps): TerminalHandlers {
  return {
    async 'terminals.list'(call) {
      const terminals = till.terminals().map(async (terminal) => ({
        ...terminalInfoOf(terminal),
        status: await till.health(contextOf(call, 'terminals.list', { terminalId: terminal.terminalId })),
      }));
      return { terminals: await Promise.all(terminals) };
    },
  };
}
