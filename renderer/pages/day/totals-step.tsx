import { Stack, Text, Title } from '@mantine/core';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { ReportActions } from './report-actions.tsx';
import { useXReport } from './use-day.ts';
import { XReport } from './x-report.tsx';

/** The X report: the day so far, by the same calculation as its close. */
export function TotalsStep({ terminalId }: { readonly terminalId: string }) {
  const { t } = useTexts();
  const report = useXReport(terminalId);
  if (report.isPending) return <LoadingState />;
  if (report.isError) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />;
  return (
    <Stack gap="md">
      <Title order={2}>{t('day:x.title')}</Title>
      <ReportActions of={{ terminalId }} printText={t('day:x.print')} />
      <XReport report={report.data} />
      <Text c="dimmed">{t('day:x.compared')}</Text>
      <PrintSheet>
        <h1>{t('day:x.title')}</h1>
        <XReport report={report.data} />
      </PrintSheet>
    </Stack>
  );
}
