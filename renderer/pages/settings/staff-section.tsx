import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffView } from '../../../app/contract/console/staff.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { roleTexts } from '../../frame/role-texts.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './settings-page.module.css';
import { StaffForm } from './staff-form.tsx';

/** The people of the till: for administrators. Those who left stay listed, since the journal names them. */
export function StaffSection() {
  const { t } = useTexts();
  const api = useConsole();
  const query = useQuery({ queryKey: ['staff.list'], queryFn: () => api.call('staff.list', {}) });
  const [editing, setEditing] = useState<StaffView | 'NEW'>();
  const close = () => setEditing(undefined);
  return (
    <section className={styles.card} aria-labelledby="settings-staff">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} id="settings-staff">
            {t('settings:staff.title')}
          </Title>
          <Button size="lg" leftSection={<IconUserPlus size={22} aria-hidden />} onClick={() => setEditing('NEW')}>
            {t('settings:staff.add')}
          </Button>
        </Group>
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <LoadingState />
        ) : (
          <ul className={styles.staff}>
            {inOrder(query.data.staff).map((member) => (
              <Member key={member.staffId} member={member} onEdit={() => setEditing(member)} />
            ))}
          </ul>
        )}
      </Stack>
      <SidePanel
        title={
          editing === 'NEW' || editing === undefined
            ? t('settings:staff.add')
            : t('settings:staff.editName', { name: editing.name })
        }
        isOpen={editing !== undefined}
        onClose={close}
        width="480px"
      >
        {editing === undefined ? null : <StaffForm member={editing === 'NEW' ? undefined : editing} onDone={close} />}
      </SidePanel>
    </section>
  );
}

/** By name, as the till sends them; those who left last. */
function inOrder(staff: readonly StaffView[]): readonly StaffView[] {
  const hasLeft = (member: StaffView) => member.deactivatedAt !== undefined;
  return [...staff.filter((member) => !hasLeft(member)), ...staff.filter(hasLeft)];
}

function Member({ member, onEdit }: { readonly member: StaffView; readonly onEdit: () => void }) {
  const { t } = useTexts();
  const localTime = useLocalTime();
  const { name, role, lastSignInAt, lockedUntil, deactivatedAt, trainingOnly } = member;
  const isLocked = lockedUntil !== undefined && Date.parse(lockedUntil) > Date.now();
  return (
    <li className={styles.member}>
      <span className={styles.name}>
        <Text span fw={600}>
          {name}
        </Text>{' '}
        <Text span c="dimmed">
          {t(roleTexts[role])}
        </Text>
      </span>
      <span className={styles.memberFacts}>
        {lastSignInAt === undefined
          ? t('settings:staff.neverSignedIn')
          : t('settings:staff.lastSignIn', { time: localTime(lastSignInAt) })}
      </span>
      {deactivatedAt !== undefined ? <StatusBadge tone="INFO">{t('settings:staff.left')}</StatusBadge> : null}
      {isLocked ? <StatusBadge tone="WARN">{t('settings:staff.locked')}</StatusBadge> : null}
      {trainingOnly ? <StatusBadge tone="INFO">{t('settings:staff.trainingOnly')}</StatusBadge> : null}
      {deactivatedAt === undefined && !trainingOnly ? (
        <Button variant="default" aria-label={t('settings:staff.editName', { name })} onClick={onEdit}>
          {t('settings:staff.edit')}
        </Button>
      ) : null}
    </li>
  );
}
