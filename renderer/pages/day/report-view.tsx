import { Button } from '@mantine/core';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { ExportDialog } from './export-dialog.tsx';
import styles from './report.module.css';
import { ReportActions } from './report-actions.tsx';
import { useDayReport } from './use-day.ts';
import { useExport } from './use-export.ts';
import { ZReport } from './z-report.tsx';

export interface ReportViewProps {
  readonly settlementId: string;
  readonly onBack: () => void;
}

/** The report of a closed day on the screen, and the same on paper. */
export function ReportView({ settlementId, onBack }: ReportViewProps) {
  const { t } = useTexts();
  const report = useDayReport(settlementId);
  const table = useExport();
  return (
    <>
      <div className={styles.bar}>
        <Button variant="default" leftSection={<IconArrowLeft size={20} aria-hidden />} onClick={onBack}>
          {t('day:z.back')}
        </Button>
        {report.data === undefined ? null : (
          <ReportActions of={{ settlementId }} printText={t('day:z.print')}>
            <Button
              variant="default"
              leftSection={<IconDownload size={20} aria-hidden />}
              onClick={() => table.start({ kind: 'REPORT', settlementId })}
            >
              {t('day:export.report')}
            </Button>
          </ReportActions>
        )}
      </div>
      <ExportDialog state={table} title={t('day:export.report')} />
      {report.isPending ? (
        <LoadingState />
      ) : report.isError ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : (
        <>
          <ZReport report={report.data} />
          <PrintSheet>
            <ZReport report={report.data} />
          </PrintSheet>
        </>
      )}
    </>
  );
}
