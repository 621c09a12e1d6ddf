import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isCurrency } from '../../../app/contract/currencies.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { PortChoice } from './port-choice.tsx';
import { DEFAULT_PORTS, ProtocolChoice, type SpokenProtocol } from './protocol-choice.tsx';
import { ReaderChoice } from './reader-choice.tsx';
import styles from './terminals-page.module.css';
import type { SearchRequest } from './use-search.ts';

export interface SearchFormProps {
  readonly isBusy: boolean;
  readonly onSearch: (request: SearchRequest) => void;
}

const DEFAULT_PASSWORD = '000000';
/** The search asks at this one first, and at others after it. */
const FIRST_BAUD_RATE = 9_600;

const kinds = ['TCP', 'SERIAL', 'HID'] as const;
type Kind = (typeof kinds)[number];

const portHints = {
  ANY: 'terminals:wizard.portHint.any',
  ZVT: 'terminals:wizard.portHint.zvt',
  ECR17: 'terminals:wizard.portHint.ecr17',
  CAISSE_AP: 'terminals:wizard.portHint.caisseAp',
  NEO2: 'terminals:wizard.portHint.any',
} as const satisfies Record<SpokenProtocol, TextKey>;

/** Where the terminal is, and what it speaks: in the network, on a serial port, or a card reader on USB. */
export function SearchForm({ isBusy, onSearch }: SearchFormProps) {
  const { t } = useTexts();
  const { terminals } = useSession();
  const [kind, setKind] = useState<Kind>('TCP');
  const [host, setHost] = useState('');
  const [protocol, setProtocol] = useState<SpokenProtocol>('ANY');
  const [port, setPort] = useState<string>(DEFAULT_PORTS.ANY);
  const [path, setPath] = useState('');
  const [reader, setReader] = useState<SearchRequest['line']>();
  const [password, setPassword] = useState(DEFAULT_PASSWORD);
  const [currency, setCurrency] = useState(terminals[0]?.currency ?? 'EUR');
  const line = lineNow();
  // A terminal that speaks otherwise has no such password.
  const hasPassword = kind !== 'HID' && (protocol === 'ANY' || protocol === 'ZVT');
  const isComplete = line !== undefined && isCurrency(currency) && (!hasPassword || /^\d{6}$/.test(password));

  /** Undefined until it is complete. */
  function lineNow(): SearchRequest['line'] | undefined {
    if (kind === 'HID') return reader;
    if (kind === 'SERIAL')
      return path.trim() === '' ? undefined : { kind, path: path.trim(), baudRate: FIRST_BAUD_RATE };
    return host.trim() !== '' && /^\d+$/.test(port) ? { kind, host: host.trim(), port: Number(port) } : undefined;
  }

  function submit(): void {
    if (!isComplete || isBusy) return;
    onSearch({
      line,
      currency,
      ...(kind === 'HID' || protocol === 'ANY' ? {} : { protocol }),
      ...(hasPassword ? { password } : {}),
    });
  }

  function choose(next: SpokenProtocol): void {
    // A port that somebody typed stays.
    if (Object.values(DEFAULT_PORTS).includes(port)) setPort(DEFAULT_PORTS[next]);
    setProtocol(next);
  }

  /** What is spoken in the network is not all that is spoken on a cable. */
  function connect(next: Kind): void {
    choose('ANY');
    setKind(next);
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
          onChange={(value) => connect(kinds.find((one) => one === value) ?? 'TCP')}
        >
          <Group mt="xs" gap="lg">
            <Radio value="TCP" size="md" label={t('terminals:wizard.network')} />
            <Radio value="SERIAL" size="md" label={t('terminals:wizard.serial')} />
            <Radio value="HID" size="md" label={t('terminals:wizard.reader')} />
          </Group>
        </Radio.Group>
        {kind === 'HID' ? null : <ProtocolChoice line={kind} protocol={protocol} onChange={choose} />}
        {kind === 'TCP' ? (
          <div className={styles.pair}>
            <TextInput
              label={t('terminals:wizard.host')}
              description={t('terminals:wizard.hostHint')}
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
            <TextInput
              label={t('terminals:wizard.port')}
              description={t(portHints[protocol])}
              inputMode="numeric"
              value={port}
              onChange={(event) => setPort(event.currentTarget.value)}
            />
          </div>
        ) : null}
        {kind === 'SERIAL' ? <PortChoice path={path} onChange={setPath} /> : null}
        {kind === 'HID' ? <ReaderChoice line={reader} onChange={setReader} /> : null}
        <div className={styles.pair}>
          {hasPassword ? (
            <TextInput
              label={t('terminals:wizard.password')}
              description={t('terminals:wizard.passwordHint')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          ) : null}
          <TextInput
            label={t('terminals:wizard.currency')}
            autoComplete="off"
            maxLength={3}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
          />
        </div>
        <Group justify="flex-end">
          <Button type="submit" size="lg" disabled={!isComplete} loading={isBusy}>
            {t('terminals:wizard.search')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
