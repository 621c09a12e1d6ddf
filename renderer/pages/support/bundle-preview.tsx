import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { BundleView } from '../../../app/contract/console/support.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './support.module.css';
import { useSizes } from './use-sizes.ts';

/** What is in the bundle, before it leaves the till. */
export function BundlePreview({ bundle }: { readonly bundle: BundleView & { readonly kind: 'MADE' } }) {
  const { t } = useTexts();
  const api = useConsole();
  const time = useLocalTime();
  const sizes = useSizes();
  const refusalText = useRefusalText();
  const [opened, setOpened] = useState<string>();
  const handOver = useApprovedCall({
    call: (_: 'BUNDLE', approval: Approval | undefined) =>
      api.call('support.handOver', approval === undefined ? {} : { approval }),
    onSuccess({ url, fileName }) {
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
    },
  });
  return (
    <div className={styles.card}>
      <Group justify="space-between">
        <Title order={2}>{t('support:preview.title')}</Title>
        <StatusBadge tone="GOOD">{t('support:preview.clean')}</StatusBadge>
      </Group>
      <Text>
        {t('support:preview.made', { time: time(bundle.madeAt), size: sizes.bytes(bundle.byteCount) })}
        {bundle.removedLines === 0 ? '' : ` ${t('support:preview.leftOut', { count: bundle.removedLines })}`}
      </Text>
      <ul className={styles.list} aria-label={t('support:preview.title')}>
        {bundle.entries.map(({ name, byteCount }) => (
          <li key={name}>
            <span>{name}</span>
            <Group gap="sm">
              <Text className="figures">{sizes.bytes(byteCount)}</Text>
              <Button variant="default" onClick={() => setOpened(name)} aria-label={`${t('common:show')}: ${name}`}>
                {t('common:show')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <div role="alert">
        {handOver.error === null ? null : (
          <StatusBadge tone="WARN">{refusalText(handOver.error).sentence ?? ''}</StatusBadge>
        )}
      </div>
      <Group justify="end">
        <Button size="lg" onClick={() => handOver.start('BUNDLE')} loading={handOver.isBusy && !handOver.dialog.isOpen}>
          {t('support:preview.handOver')}
        </Button>
      </Group>
      <ConfirmWithPin title={t('support:preview.handOver')} text={t('support:preview.approve')} {...handOver.dialog} />
      <SidePanel title={opened ?? ''} isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened === undefined ? null : <EntryText name={opened} madeAt={bundle.madeAt} />}
      </SidePanel>
    </div>
  );
}

function EntryText({ name, madeAt }: { readonly name: string; readonly madeAt: string }) {
  const { t } = useTexts();
  const api = useConsole();
  const query = useQuery({
    queryKey: ['support.entry', madeAt, name],
    queryFn: () => api.call('support.entry', { name }),
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  return (
    <Stack>
      {query.data.isCut ? <Text>{t('support:preview.cut')}</Text> : null}
      <pre className={styles.code} lang="en">
        {query.data.text}
      </pre>
    </Stack>
  );
}
