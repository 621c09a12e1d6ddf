import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import { isHostReason, type RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { operationWords } from '../activity/payment-state.ts';
import styles from './attention-page.module.css';
import { EvidenceList } from './evidence-list.tsx';
import { NextTry } from './next-try.tsx';
import { reasonText } from './recovery-texts.ts';
import { ResolveForm } from './resolve-form.tsx';

/** One thing of unknown outcome: what happened, what was asked and answered, what happens next, and a person's answer. */
export function TaskCard({ task }: { readonly task: RecoveryTaskView }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const money = useMoney();
  const { signedIn } = useSession();
  const [isResolving, setIsResolving] = useState(false);
  const [isTechnical, setIsTechnical] = useState(false);
  const needsPerson = task.state === 'NEEDS_PERSON';
  const maySell = sellingRoles.includes(signedIn.role);
  const time = localTime(task.openedAt);
  const { amount, currency, type } = task;
  const hasAmount = amount !== undefined && currency !== undefined && type !== undefined;
  return (
    <article className={styles.card} aria-labelledby={`task-${task.taskId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`task-${task.taskId}`}>
            {hasAmount
              ? t('attention:task.payment', {
                  operation: t(operationWords[type]),
                  amount: money(amount, currency),
                  time,
                })
              : t('attention:task.dayClose', { time })}
          </Title>
          <StatusBadge tone={needsPerson ? 'WARN' : 'BUSY'}>
            {t(needsPerson ? 'attention:state.needsPerson' : 'attention:state.asking')}
          </StatusBadge>
        </Group>
        <Text fw={600}>{t(headlineOf(task))}</Text>
        <Text>
          {reasonText(t, task)} {t(nextOf(task), { terminal: task.terminalId })} <NextTry task={task} />
        </Text>
        <div>
          <Text c="dimmed">
            {[
              task.attempts === 0 ? undefined : t('attention:task.asked', { count: task.attempts }),
              t('attention:task.last', { time: localTime(task.updatedAt) }),
              task.referenceId,
            ]
              .filter((part) => part !== undefined && part !== '')
              .join(' · ')}
          </Text>
          {isTechnical ? <Text className="code">{task.reason}</Text> : null}
        </div>
        <EvidenceList evidence={task.evidence} isTechnical={isTechnical} />
        {isResolving ? (
          <ResolveForm task={task} onClose={() => setIsResolving(false)} />
        ) : (
          <Group justify="flex-end">
            <Button variant="subtle" size="lg" aria-expanded={isTechnical} onClick={() => setIsTechnical(!isTechnical)}>
              {t(isTechnical ? 'attention:technical.hide' : 'attention:technical.show')}
            </Button>
            {task.subject.kind === 'TRANSACTION' ? (
              <Button variant="default" size="lg" onClick={() => void navigate({ to: `/activity/${task.subject.id}` })}>
                {t('attention:action.details')}
              </Button>
            ) : null}
            {maySell ? (
              <Button size="lg" onClick={() => setIsResolving(true)}>
                {t('attention:action.resolve')}
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
    </article>
  );
}

function headlineOf({ subject, reasonCode }: RecoveryTaskView): TextKey {
  if (subject.kind === 'DAY_CLOSE') return 'attention:task.doNotClose';
  if (reasonCode === 'OFFLINE_DECLINED') return 'attention:task.notPaid';
  if (!isHostReason(reasonCode)) return 'attention:task.doNotCharge';
  if (reasonCode === 'RECORD_REFUSED') return 'attention:task.recordOnly';
  return reasonCode === 'CAPTURE_REFUSED' ? 'attention:task.toldPaid' : 'attention:task.toldUnpaid';
}

function nextOf({ state, reasonCode }: RecoveryTaskView): TextKey {
  if (reasonCode === 'RECORD_REFUSED') return 'attention:next.confirmRecord';
  if (isHostReason(reasonCode)) return 'attention:next.askAcquirer';
  if (reasonCode === 'OFFLINE_DECLINED') return 'attention:next.askCustomer';
  return state === 'NEEDS_PERSON' ? 'attention:next.needsPerson' : 'attention:next.asking';
}
