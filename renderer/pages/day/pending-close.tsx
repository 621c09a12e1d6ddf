import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { NextTry } from '../attention/next-try.tsx';
import { reasonText } from '../attention/recovery-texts.ts';

/** In the place of the wizard while it is not known whether the terminal has closed: why, what is being done, and when it is asked next. */
export function PendingClose({ task }: { readonly task: RecoveryTaskView }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { terminalId } = task;
  const isAsking = task.state === 'ASKING';
  return (
    <Stack gap="md" role="region" aria-label={t('day:confirm.title', { terminal: terminalId })}>
      <Group justify="space-between" gap="sm">
        <Title order={2}>{t('attention:task.doNotClose')}</Title>
        <StatusBadge tone={isAsking ? 'BUSY' : 'WARN'}>
          {t(isAsking ? 'attention:state.asking' : 'attention:state.needsPerson')}
        </StatusBadge>
      </Group>
      <Text size="lg">
        {reasonText(t, task)}{' '}
        {t(isAsking ? 'attention:next.asking' : 'attention:next.needsPerson', { terminal: terminalId })}
      </Text>
      <Text mih={24}>
        <NextTry task={task} />
      </Text>
      <Group justify="flex-end">
        <Button size="lg" onClick={() => void navigate({ to: '/attention' })}>
          {t('day:open.resolve')}
        </Button>
      </Group>
    </Stack>
  );
}
