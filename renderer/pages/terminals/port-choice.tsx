import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';

const OTHER = 'OTHER';

export interface PortChoiceProps {
  readonly path: string;
  readonly onChange: (path: string) => void;
}

/** The serial ports that were found, and one that a person names. */
export function PortChoice({ path, onChange }: PortChoiceProps) {
  const { t } = useTexts();
  const api = useConsole();
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['terminals.ports'],
    queryFn: () => api.call('terminals.ports', {}),
  });
  const [isOther, setIsOther] = useState(false);
  const ports = data?.ports ?? [];
  return (
    <Stack gap="sm">
      <Radio.Group
        size="md"
        label={t('terminals:wizard.ports')}
        value={isOther ? OTHER : path}
        onChange={(value) => {
          setIsOther(value === OTHER);
          onChange(value === OTHER ? '' : value);
        }}
      >
        <Stack gap="sm" mt="xs">
          {ports.map((port) => (
            <Radio
              key={port.path}
              value={port.path}
              size="md"
              disabled={port.usedBy !== undefined}
              label={port.path}
              description={[
                ...(port.description === undefined ? [] : [port.description]),
                ...(port.usedBy === undefined ? [] : [t('terminals:wizard.usedBy', { terminal: port.usedBy })]),
              ].join(' · ')}
            />
          ))}
          <Radio value={OTHER} size="md" label={t('terminals:wizard.otherPort')} />
        </Stack>
      </Radio.Group>
      {ports.length === 0 && !isFetching ? <Text>{t('terminals:wizard.noPorts')}</Text> : null}
      {isOther ? (
        <TextInput
          label={t('terminals:wizard.otherPortName')}
          placeholder="/dev/ttyUSB0"
          value={path}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : null}
      <Group>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('terminals:wizard.lookAgain')}
        </Button>
      </Group>
    </Stack>
  );
}
