import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { HostTrouble } from '../../../app/contract/console/attention.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { hostStateWords } from '../host/host-words.ts';
import styles from './attention-page.module.css';

const titles = { REFUSED: 'host:attention.title', TOKEN_MISSING: 'host:attention.moved' } as const;

/** A terminal that must be paired with its host again; it goes by itself once it is. */
export function HostTroubleCard({ trouble }: { readonly trouble: HostTrouble }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { terminalId, name, kind } = trouble;
  const { badge, sentence, tone } = hostStateWords[kind];
  return (
    <article className={styles.card} aria-labelledby={`host-${terminalId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`host-${terminalId}`}>
            {t(titles[kind], { terminal: name ?? terminalId })}
          </Title>
          <StatusBadge tone={tone}>{t(badge)}</StatusBadge>
        </Group>
        <Text>{t(sentence)}</Text>
        <Group justify="flex-end">
          <Button size="lg" onClick={() => void navigate({ to: '/host' })}>
            {t('host:attention.open')}
          </Button>
        </Group>
      </Stack>
    </article>
  );
}
