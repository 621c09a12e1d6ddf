import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './integrations.module.css';
import { RequestDetail } from './request-detail.tsx';
import { RequestList } from './request-list.tsx';
import { useRequestName } from './request-words.tsx';
import { useRequestList } from './use-request-list.ts';

/** What was called at the POS API, newest first. It stands still while somebody is in it, so that nothing moves away under a finger. */
export function RequestsSection() {
  const { t } = useTexts();
  const nameOf = useRequestName();
  const [isPaused, setIsPaused] = useState(false);
  const [isRead, setIsRead] = useState(false);
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [client, setClient] = useState('');
  const [opened, setOpened] = useState<RequestView>();
  const query = useRequestList(isPaused || isRead);
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
        <div className={styles.line}>
          <StatusBadge tone={isPaused || isRead ? 'INFO' : 'BUSY'}>
            {isPaused
              ? t('integrations:requests.paused')
              : isRead
                ? t('integrations:requests.held')
                : t('integrations:requests.live')}
          </StatusBadge>
        </div>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={t('integrations:requests.empty')} />
      ) : (
        <RequestList requests={shown} onOpen={setOpened} onReading={setIsRead} />
      )}
      <SidePanel
        title={opened === undefined ? '' : nameOf(opened)}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        {opened === undefined ? null : <RequestDetail entry={opened} />}
      </SidePanel>
    </Stack>
  );
}
