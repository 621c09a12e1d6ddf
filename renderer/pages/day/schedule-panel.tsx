import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScheduledCloseView } from '../../../app/contract/console/day.ts';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { ScheduleForm } from './schedule-form.tsx';
import styles from './schedule-panel.module.css';
import { scheduledCloseText } from './scheduled-close-text.ts';
import { useDaySchedule } from './use-day.ts';

/** When the day is closed by itself, what came of it last, and the way to change it. */
export function SchedulePanel() {
  const { t } = useTexts();
  const localTime = useLocalTime();
  const { signedIn } = useSession();
  const [isChanging, setIsChanging] = useState(false);
  const schedule = useDaySchedule();
  if (schedule.data === undefined) return <div className={styles.panel} />;
  const { settings, next, closes } = schedule.data;
  return (
    <section className={styles.panel}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2}>{t('day:schedule.title')}</Title>
          {sellingRoles.includes(signedIn.role) ? (
            <Button variant="default" onClick={() => setIsChanging(true)}>
              {t('day:schedule.change')}
            </Button>
          ) : null}
        </Group>
        <Text>{next === undefined ? t('day:schedule.none') : t('day:schedule.next', { time: localTime(next) })}</Text>
        {closes.map((close) => (
          <LastClose key={close.terminalId} close={close} />
        ))}
      </Stack>
      {isChanging ? <ScheduleForm settings={settings} onClose={() => setIsChanging(false)} /> : null}
    </section>
  );
}

function LastClose({ close }: { readonly close: ScheduledCloseView }) {
  const { t, formats } = useTexts();
  const navigate = useNavigate();
  const text = scheduledCloseText(close, t, formats);
  if (text === undefined) return null;
  if (close.state !== 'BLOCKED') return <Text c="dimmed">{text}</Text>;
  return (
    <Stack gap="xs" align="flex-start">
      <StatusBadge tone="WARN">{t('day:schedule.badge')}</StatusBadge>
      <Text>{text}</Text>
      <Button variant="default" onClick={() => void navigate({ to: '/attention' })}>
        {t('day:open.resolve')}
      </Button>
    </Stack>
  );
}
