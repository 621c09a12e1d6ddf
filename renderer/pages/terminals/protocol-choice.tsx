import { Group, Radio } from '@mantine/core';
import { type TerminalProtocol, terminalProtocolNames } from '../../../app/contract/console/terminals.ts';
import { useTexts } from '../../hooks/use-texts.ts';

/** ANY: the search finds it out. */
export type SpokenProtocol = TerminalProtocol | 'ANY';

/** Where each listens in the network unless it is set otherwise. */
export const DEFAULT_PORTS: Readonly<Record<SpokenProtocol, string>> = {
  ANY: '20007',
  ZVT: '20007',
  ECR17: '10000',
  CAISSE_AP: '8888',
  NEO2: '20007',
};

/** What is spoken on each kind of line. */
const spokenOn = {
  TCP: ['ZVT', 'ECR17', 'CAISSE_AP'],
  SERIAL: ['ZVT', 'ECR17', 'NEO2'],
} as const satisfies Record<string, readonly TerminalProtocol[]>;

export interface ProtocolChoiceProps {
  readonly line: keyof typeof spokenOn;
  readonly protocol: SpokenProtocol;
  readonly onChange: (protocol: SpokenProtocol) => void;
}

/** What the terminal speaks, or that the search is to find it out. */
export function ProtocolChoice({ line, protocol, onChange }: ProtocolChoiceProps) {
  const { t } = useTexts();
  const choices = ['ANY', ...spokenOn[line]] as const;
  return (
    <Radio.Group
      size="md"
      label={t('terminals:wizard.protocol')}
      description={line === 'TCP' ? t('terminals:wizard.protocolHint') : undefined}
      value={protocol}
      onChange={(value) => onChange(choices.find((one) => one === value) ?? 'ANY')}
    >
      <Group mt="xs" gap="lg">
        {choices.map((one) => (
          <Radio
            key={one}
            value={one}
            size="md"
            label={one === 'ANY' ? t('terminals:wizard.findOut') : terminalProtocolNames[one]}
          />
        ))}
      </Group>
    </Radio.Group>
  );
}
