import { Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_BUNDLE_DAYS, MAX_BUNDLE_DAYS } from '../../../app/contract/console/console-limits.ts';
import type { BundleView } from '../../../app/contract/console/support.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BundlePreview } from './bundle-preview.tsx';
import { findingTextOf } from './finding-texts.ts';
import styles from './support.module.css';
import { useSupportWork } from './use-support-work.ts';
import { WorkProgress } from './work-progress.tsx';

/** Makes the support bundle, shows what is in it, and hands it over. */
export function BundleSection() {
  const { t } = useTexts();
  const api = useConsole();
  const client = useQueryClient();
  const work = useSupportWork();
  const [days, setDays] = useState(DEFAULT_BUNDLE_DAYS);
  const make = useMutation({
    mutationFn: (leavesOutLines: boolean) => api.call('support.makeBundle', { days, leavesOutLines }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['support.work'] }),
  });
  if (work.isError) return <ErrorState error={work.error} onRetry={() => void work.refetch()} />;
  if (work.data === undefined) return <LoadingState />;
  const { bundle } = work.data;
  return (
    <Stack>
      <div className={styles.card}>
        <Title order={2}>{t('support:bundle.title')}</Title>
        <Text>{t('support:bundle.text')}</Text>
        {make.error === null ? null : <ErrorState error={make.error} />}
        {bundle.kind === 'RUNNING' ? (
          <WorkProgress progress={bundle} what="BUNDLE" />
        ) : (
          <Group align="end">
            <NumberInput
              label={t('support:bundle.days')}
              value={days}
              min={1}
              max={MAX_BUNDLE_DAYS}
              hideControls
              onChange={(value) => {
                const next = Number(value);
                if (Number.isInteger(next) && next >= 1 && next <= MAX_BUNDLE_DAYS) setDays(next);
              }}
            />
            <Button
              variant={bundle.kind === 'MADE' ? 'default' : 'filled'}
              onClick={() => make.mutate(false)}
              disabled={make.isPending}
            >
              {t(bundle.kind === 'NONE' ? 'support:bundle.make' : 'support:bundle.again')}
            </Button>
          </Group>
        )}
        {bundle.kind === 'CANCELLED' ? <Text role="status">{t('support:stopped')}</Text> : null}
        {bundle.kind === 'FAILED' ? (
          <div role="alert">
            <StatusBadge tone="WARN">{t('support:bundle.failed')}</StatusBadge>
            <Text className={styles.code}>{bundle.reason}</Text>
          </div>
        ) : null}
        {bundle.kind === 'REFUSED' ? <Refused bundle={bundle} onLeaveOut={() => make.mutate(true)} /> : null}
      </div>
      {bundle.kind === 'MADE' ? <BundlePreview bundle={bundle} /> : null}
    </Stack>
  );
}

interface RefusedProps {
  readonly bundle: BundleView & { readonly kind: 'REFUSED' };
  readonly onLeaveOut: () => void;
}

/** What was found and where, never the value; and what to do. */
function Refused({ bundle: { findings, count }, onLeaveOut }: RefusedProps) {
  const { t } = useTexts();
  const isLogOnly = findings.every(({ line }) => line !== undefined);
  return (
    <div role="alert">
      <Stack gap="sm" align="start">
        <StatusBadge tone="BAD">{t('support:refused.title')}</StatusBadge>
        <Text>{t('support:refused.text', { count })}</Text>
        <ul>
          {findings.map(({ entry, line, kind }) => (
            <li key={`${entry} ${line} ${kind}`}>
              {t(findingTextOf(kind))}: {line === undefined ? entry : t('support:refused.line', { entry, line })}
            </li>
          ))}
        </ul>
        <Text>{t(isLogOnly ? 'support:refused.adviceLog' : 'support:refused.advice')}</Text>
        {isLogOnly ? (
          <Group>
            <Button variant="default" onClick={onLeaveOut}>
              {t('support:refused.leaveOut')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </div>
  );
}
