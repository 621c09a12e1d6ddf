import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PrinterTrouble } from '../../../app/contract/console/printing.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { troubleWords } from '../printing/printing-words.ts';
import { usePrint } from '../printing/use-printing.ts';
import styles from './attention-page.module.css';

const whatWords = {
  RECEIPT: 'printing:what.receipt',
  Z_REPORT: 'printing:what.zReport',
  X_REPORT: 'printing:what.xReport',
} as const;

/** A print that has not come out: what it was, what the printer says, and two ways to end it. The payment itself is not touched by it. */
export function PrinterTroubleCard({ trouble }: { readonly trouble: PrinterTrouble }) {
  const { t } = useTexts();
  const api = useConsole();
  const queryClient = useQueryClient();
  const localTime = useLocalTime();
  const refusalText = useRefusalText();
  const { jobId, printerName, what, isRetrying, perhapsPrinted, createdAt } = trouble;
  const again = usePrint(() => api.call('printing.again', { jobId }));
  const dismiss = useMutation({
    mutationFn: () => api.call('printing.dismiss', { jobId }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['attention.list'] }),
  });
  const error = again.error ?? dismiss.error;
  return (
    <article className={styles.card} aria-labelledby={`print-${jobId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`print-${jobId}`}>
            {t('printing:attention.title', { what: t(whatWords[what]), time: localTime(createdAt) })}
          </Title>
          <StatusBadge tone={isRetrying ? 'BUSY' : 'WARN'}>
            {t(isRetrying ? 'printing:attention.retrying' : 'printing:attention.failed')}
          </StatusBadge>
        </Group>
        <Text fw={600}>{`${printerName}: ${t(troubleWords[trouble.trouble])}`}</Text>
        <Text>{t(perhapsPrinted ? 'printing:attention.perhaps' : 'printing:attention.nothing')}</Text>
        <Text role="alert" c="var(--bad)">
          {error === null ? '' : refusalText(error).sentence}
        </Text>
        {isRetrying ? null : (
          <Group justify="flex-end">
            <Button variant="default" size="lg" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
              {t('printing:attention.dismiss')}
            </Button>
            <Button size="lg" loading={again.isPending} onClick={() => again.mutate(undefined)}>
              {t('printing:attention.again')}
            </Button>
          </Group>
        )}
      </Stack>
    </article>
  );
}
