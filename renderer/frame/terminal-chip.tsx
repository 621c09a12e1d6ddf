import type { TerminalView } from '../../app/contract/console/terminals.ts';
import { StatusBadge, type Tone } from '../components/status-badge.tsx';
import { useTexts } from '../hooks/use-texts.ts';

type DeviceState = TerminalView['status']['state'];

export const deviceStates = {
  DISCONNECTED: { tone: 'BAD', text: 'common:device.disconnected' },
  CONNECTING: { tone: 'WARN', text: 'common:device.connecting' },
  IDLE: { tone: 'GOOD', text: 'common:device.idle' },
  BUSY: { tone: 'BUSY', text: 'common:device.busy' },
  UPDATING: { tone: 'WARN', text: 'common:device.updating' },
  ERROR: { tone: 'BAD', text: 'common:device.error' },
} as const satisfies Record<DeviceState, { tone: Tone; text: string }>;

/** A terminal and how it is. */
export function TerminalChip({ terminal }: { readonly terminal: TerminalView }) {
  const { t } = useTexts();
  const { tone, text } = deviceStates[terminal.status.state];
  return (
    <span role="status">
      <StatusBadge tone={tone}>{`${terminal.name ?? terminal.terminalId} · ${t(text)}`}</StatusBadge>
    </span>
  );
}
