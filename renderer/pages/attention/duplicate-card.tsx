import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { PossibleDuplicate } from '../../../app/contract/console/attention.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';

/** Two sales of one reference: each can be looked at, and the one too many given back there. */
export function DuplicateCard({ duplicate }: { readonly duplicate: PossibleDuplicate }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const money = useMoney();
  const { transactionId, earlierTransactionId, amount, currency, referenceId, createdAt } = duplicate;
  const show = (id: string) => void navigate({ to: `/activity/${id}` });
  return (
    <article className={styles.card} aria-labelledby={`duplicate-${transactionId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`duplicate-${transactionId}`}>
            {t('attention:duplicate.title', { amount: money(amount, currency), time: localTime(createdAt) })}
          </Title>
          <StatusBadge tone="WARN">{t('attention:duplicate.badge')}</StatusBadge>
        </Group>
        <Text>{t('attention:duplicate.text', { reference: referenceId })}</Text>
        <Group justify="flex-end">
          <Button variant="default" size="lg" onClick={() => show(earlierTransactionId)}>
            {t('attention:duplicate.earlier')}
          </Button>
          <Button size="lg" onClick={() => show(transactionId)}>
            {t('attention:duplicate.later')}
          </Button>
        </Group>
      </Stack>
    </article>
  );
}
