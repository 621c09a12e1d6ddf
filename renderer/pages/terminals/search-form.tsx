import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isCurrency } from '../../../app/contract/currencies.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SearchRequest } from './use-search.ts';

export interface SearchFormProps {
  readonly isBusy: boolean;
  readonly onSearch: (request: SearchRequest) => void;
}

const DEFAULT_PORT = '20007';
const DEFAULT_PASSWORD = '000000';
/** The search asks at this one first, and at others after it. */
const FIRST_BAUD_RATE = 9_600;
const OTHER = 'OTHER';

/** Where the terminal is: in the network or on a serial port. */
export function SearchForm({ isBusy, onSearch }: SearchFormProps) {
  const { t } = useTexts();
  const { terminals } = useSession();
  const [kind, setKind] = useState<'TCP' | 'SERIAL'>('TCP');
  const [host, setHost] = useState('');
  const [port, setPort] = useState(DEFAULT_PORT);
  const [path, setPath] = useState('');
  const [password, setPassword] = useState(DEFAULT_PASSWORD);
  const [currency, setCurrency] = useState(terminals[0]?.currency ?? 'EUR');
  const isComplete =
    /^\d{6}$/.test(password) &&
    isCurrency(currency) &&
    (kind === 'SERIAL' ? path.trim() !== '' : host.trim() !== '' && /^\d+$/.test(port));

  function submit(): void {
    if (!isComplete || isBusy) return;
    const line =
      kind === 'TCP'
        ? ({ kind, host: host.trim(), port: Number(port) } as const)
        : ({ kind, path: path.trim(), baudRate: FIRST_BAUD_RATE } as const);
    onSearch({ line, password, currency });
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <Radio.Group
          size="md"
          label={t('terminals:wizard.how')}
          value={kind}
          onChange={(value) => setKind(value === 'SERIAL' ? 'SERIAL' : 'TCP')}
        >
          <Group mt="xs" gap="lg">
            <Radio value="TCP" size="md" label={t('terminals:wizard.network')} />
            <Radio value="SERIAL" size="md" label={t('terminals:wizard.serial')} />
          </Group>
        </Radio.Group>
        {kind === 'TCP' ? (
          <>
            <TextInput
              label={t('terminals:wizard.host')}
              description={t('terminals:wizard.hostHint')}
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
            <TextInput
              label={t('terminals:wizard.port')}
              description={t('terminals:wizard.portHint')}
              inputMode="numeric"
              value={port}
              onChange={(event) => setPort(event.currentTarget.value)}
            />
          </>
        ) : (
          <PortChoice path={path} onChange={setPath} />
        )}
        <TextInput
          label={t('terminals:wizard.password')}
          description={t('terminals:wizard.passwordHint')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <TextInput
          label={t('terminals:wizard.currency')}
          autoComplete="off"
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
        />
        <Group justify="flex-end">
          <Button type="submit" size="lg" disabled={!isComplete} loading={isBusy}>
            {t('terminals:wizard.search')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The serial ports that were found, and one that a person names. */
function PortChoice({ path, onChange }: { readonly path: string; readonly onChange: (path: string) => void }) {
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
