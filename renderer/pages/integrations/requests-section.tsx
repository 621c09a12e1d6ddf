import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { type ErrorCode, errorCatalogue, errorCodes } from '../../../app/contract/errors.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { errorTextKey } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './integrations.module.css';

const pollMs = 1_000;

/** What was called at the POS API, newest first, until somebody stops the list to read it. */
export function RequestsSection() {
  const { t } = useTexts();
  const api = useConsole();
  const [isPaused, setIsPaused] = useState(false);
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [client, setClient] = useState('');
  const [opened, setOpened] = useState<RequestView>();
  const query = useQuery({
    queryKey: ['integrations.requests'],
    queryFn: () => api.call('integrations.requests', { after: 0 }),
    enabled: !isPaused,
    refetchInterval: pollMs,
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const { requests } = query.data;
  const clients = [...new Set(requests.flatMap(({ clientName }) => clientName ?? []))];
  const shown = requests
    .filter((entry) => (!onlyErrors || entry.statusCode >= 400) && (client === '' || entry.clientName === client))
    .toReversed();
  return (
    <Stack>
      <Text>{t('integrations:requests.text')}</Text>
      <Group align="end">
        <NativeSelect
          label={t('integrations:requests.client')}
          value={client}
          onChange={(event) => setClient(event.currentTarget.value)}
          data={[{ value: '', label: t('integrations:requests.everybody') }, ...clients]}
        />
        <Button variant="default" aria-pressed={onlyErrors} onClick={() => setOnlyErrors(!onlyErrors)}>
          {t('integrations:requests.onlyErrors')}
        </Button>
        <Button variant="default" onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? t('integrations:requests.resume') : t('integrations:requests.pause')}
        </Button>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={t('integrations:requests.empty')} />
      ) : (
        <ul className={styles.list}>
          {shown.map((entry) => (
            <RequestRow key={entry.sequence} entry={entry} onOpen={() => setOpened(entry)} />
          ))}
        </ul>
      )}
      <SidePanel
        title={opened === undefined ? '' : nameOf(opened, t('integrations:requests.unknownPath'))}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        {opened === undefined ? null : <RequestDetail entry={opened} />}
      </SidePanel>
    </Stack>
  );
}

function nameOf({ method, path }: RequestView, unknown: string): string {
  return `${method} ${path ?? unknown}`;
}

function State({ entry }: { readonly entry: RequestView }) {
  const { t } = useTexts();
  const isRefused = entry.statusCode >= 400;
  return (
    <StatusBadge tone={isRefused ? 'WARN' : 'GOOD'}>
      {isRefused ? t('integrations:requests.refused') : t('integrations:requests.answered')}
    </StatusBadge>
  );
}

function RequestRow({ entry, onOpen }: { readonly entry: RequestView; readonly onOpen: () => void }) {
  const { t } = useTexts();
  const time = useLocalTime();
  return (
    <li>
      <div>
        <Text>{nameOf(entry, t('integrations:requests.unknownPath'))}</Text>
        <Text size="sm" c="dimmed">
          {[time(entry.at), entry.clientName, entry.origin].filter((part) => part !== undefined).join(' · ')}
        </Text>
      </div>
      <Group gap="sm">
        <State entry={entry} />
        <Text className="figures">{entry.statusCode}</Text>
        <Text className={`figures ${styles.duration}`}>
          {t('integrations:requests.duration', { ms: entry.durationMs })}
        </Text>
        <Button variant="default" onClick={onOpen}>
          {t('common:show')}
        </Button>
      </Group>
    </li>
  );
}

/** What happened, and what the developer of the POS does about it, in the words of the API's own catalogue. */
function RequestDetail({ entry }: { readonly entry: RequestView }) {
  const { t } = useTexts();
  const code = errorCodes.find((each): each is ErrorCode => each === entry.errorCode);
  return (
    <Stack>
      <Group>
        <State entry={entry} />
      </Group>
      {code === undefined ? null : (
        <>
          <Text size="lg">
            {code === 'UNAUTHENTICATED' ? t('integrations:requests.badKey') : t(errorTextKey(code))}
          </Text>
          <Text fw={600}>{t('integrations:requests.fix')}</Text>
          <Text lang="en">{errorCatalogue[code].retryAdvice}</Text>
          <Text className="code">{code}</Text>
        </>
      )}
      {entry.origin === undefined ? null : (
        <Text>
          {t('integrations:requests.page')}: {entry.origin}
        </Text>
      )}
      <Text className="code">
        {t('integrations:requests.id')}: {entry.requestId}
      </Text>
    </Stack>
  );
}
