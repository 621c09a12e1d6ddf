import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { OfflineSalesView } from '../../../app/contract/console/offline-sales.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOfflineWords } from '../../hooks/use-offline-words.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';

/** Sales that have waited for their issuer for twelve hours; it goes by itself once they are forwarded. */
export function LateOfflineCard({ sales }: { readonly sales: OfflineSalesView }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { waiting, unreached, advice } = useOfflineWords()(sales);
  return (
    <article className={styles.card} aria-labelledby="late-offline-sales">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="late-offline-sales">
            {t('host:offlineSales.title')}
          </Title>
          <StatusBadge tone="WARN">{t('activity:state.acceptedOffline')}</StatusBadge>
        </Group>
        <Text fw={600}>{waiting}</Text>
        <Text>{[...unreached, advice].join(' ')}</Text>
        <Group justify="flex-end">
          <Button size="lg" onClick={() => void navigate({ to: '/host' })}>
            {t('host:attention.open')}
          </Button>
        </Group>
      </Stack>
    </article>
  );
}
