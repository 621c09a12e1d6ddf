import type { TerminalView } from '../contract/console/terminals.ts';
import { terminalInfoOf } from '../services/terminal-info.ts';
import { type ConsoleCall, contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { pickTerminal } from './pick-terminal.ts';
import { createTerminalKeeper } from './terminal-keeper.ts';
import { labelOf } from './terminal-labels.ts';

type TerminalHandlers = Pick<
  Handlers,
  | 'terminals.list'
  | 'terminals.probe'
  | 'terminals.testDisplay'
  | 'terminals.testPrint'
  | 'terminals.rename'
  | 'terminals.makeDefault'
  | 'terminals.askTip'
  | 'terminals.remove'
>;

/** How long a test stays on the display, milliseconds. */
const TEST_SHOWN_MS = 10_000;

/** The terminals and how they are, each asked at the same time; their tests, names and end. */
export function createTerminalHandlers({ till, settingsStore, terminalSetup }: ConsoleDeps): TerminalHandlers {
  const keeper = createTerminalKeeper(settingsStore, terminalSetup);
  const contextFor = (call: ConsoleCall, terminalId: string) => contextOf(call, 'terminals', { terminalId });

  async function asked(call: ConsoleCall, terminalId: string, opensLine = false): Promise<TerminalView> {
    return {
      ...terminalInfoOf(pickTerminal(till, terminalId)),
      ...labelOf(settingsStore.current(), terminalId),
      status: await till.health(contextFor(call, terminalId), opensLine),
    };
  }

  return {
    async 'terminals.list'(call) {
      const terminals = await Promise.all(till.terminals().map(({ terminalId }) => asked(call, terminalId)));
      return { terminals, kept: keeper.kept(), isChangedNow: terminalSetup.isChangedNow };
    },
    async 'terminals.probe'(call, { terminalId }) {
      return { terminal: await asked(call, terminalId, true) };
    },
    async 'terminals.testDisplay'(call, { terminalId, lines }) {
      await till.display(contextFor(call, terminalId), { lines, duration: TEST_SHOWN_MS });
      return {};
    },
    async 'terminals.testPrint'(call, { terminalId, lines }) {
      await till.print(contextFor(call, terminalId), { lines });
      return {};
    },
    'terminals.rename'(_call, { terminalId, name }) {
      keeper.rename(terminalId, name);
      return { kept: keeper.kept() };
    },
    'terminals.makeDefault'(_call, { terminalId }) {
      keeper.makeDefault(terminalId);
      return { kept: keeper.kept() };
    },
    'terminals.askTip'(_call, { terminalId, asksTip }) {
      keeper.askTip(terminalId, asksTip);
      return { kept: keeper.kept() };
    },
    async 'terminals.remove'(_call, { terminalId }) {
      await keeper.remove(terminalId);
      return { kept: keeper.kept() };
    },
  };
}
