import type { TerminalView } from '../contract/console/terminals.ts';
import type { Settings } from '../ports/settings.ts';

/** What the settings say of a terminal: what people call it, whether a sale at the console begins with it, whether it asks for tips. */
export function labelOf(
  { terminals }: Settings,
  terminalId: string,
): Pick<TerminalView, 'name' | 'isDefault' | 'asksTip'> {
  const stored = terminals.find((one) => one.terminalId === terminalId);
  return {
    ...(stored?.name === undefined ? {} : { name: stored.name }),
    ...(stored?.isDefault === true ? { isDefault: true } : {}),
    ...(stored?.asksTip === true ? { asksTip: true } : {}),
  };
}

/** The default first, the others in their order: what has no choice of its own takes the first. */
export function defaultFirst<Labelled extends Pick<TerminalView, 'isDefault'>>(
  terminals: readonly Labelled[],
): Labelled[] {
  return [...terminals].sort((a, b) => Number(b.isDefault === true) - Number(a.isDefault === true));
}
