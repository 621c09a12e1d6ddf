import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isCurrency } from '../../../app/contract/currencies.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { ReaderChoice } from './reader-choice.tsx';
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

const kinds = ['TCP', 'SERIAL', 'HID'] as const;
type Kind = (typeof kinds)[number];

/** Where the terminal is: in the network, on a serial port, or a card reader on USB. */
export function SearchForm({ isBusy, onSearch }: SearchFormProps) {
  const { t } = useTexts();
  const { terminals } = useSession();
  const [kind, setKind] = useState<Kind>('TCP');
  const [host, setHost] = useState('');
  const [port, setPort] = useState(DEFAULT_PORT);
  const [path, setPath] = useState('');
  const [reader, setReader] = useState<SearchRequest['line']>();
  const [password, setPassword] = useState(DEFAULT_PASSWORD);
  const [currency, setCurrency] = useState(terminals[0]?.currency ?? 'EUR');
  const line = lineNow();
  const isComplete = line !== undefined && isCurrency(currency) && (kind === 'HID' || /^\d{6}$/.test(password));

  /** Undefined until it is complete. */
  function lineNow(): SearchRequest['line'] | undefined {
    if (kind === 'HID') return reader;
    if (kind === 'SERIAL')
      return path.trim() === '' ? undefined : { kind, path: path.trim(), baudRate: FIRST_BAUD_RATE };
    return host.trim() !== '' && /^\d+$/.test(port) ? { kind, host: host.trim(), port: Number(port) } : undefined;
  }

  function submit(): void {
    if (!isComplete || isBusy) return;
    onSearch({ line, currency, ...(kind === 'HID' ? {} : { password }) });
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
          onChange={(value) => setKind(kinds.find((one) => one === value) ?? 'TCP')}
        >
          <Group mt="xs" gap="lg">
            <Radio value="TCP" size="md" label={t('terminals:wizard.network')} />
            <Radio value="SERIAL" size="md" label={t('terminals:wizard.serial')} />
            <Radio value="HID" size="md" label={t('terminals:wizard.reader')} />
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
        ) : null}
        {kind === 'SERIAL' ? <PortChoice path={path} onChange={setPath} /> : null}
        {kind === 'HID' ? (
          <ReaderChoice line={reader} onChange={setReader} />
        ) : (
          <TextInput
            label={t('terminals:wizard.password')}
            description={t('terminals:wizard.passwordHint')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
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
