import { Stack, Text } from '@mantine/core';
import type { XReport as Report } from '../../../app/contract/console/day.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BreakdownTables } from './breakdown-tables.tsx';
import { JournalFoot } from './journal-foot.tsx';
import { SchemeTable } from './scheme-table.tsx';
import { TotalsTable } from './totals-table.tsx';

/** The day so far, as it stands on the screen and on paper. */
export function XReport({ report }: { readonly report: Report }) {
  const { t, formats } = useTexts();
  const { merchantName } = useSession();
  const { totals, netAmount, schemes, terminalId, timestamp, number } = report;
  const at = formats.dateTime({ dateStyle: 'medium', timeStyle: 'short' });
  const head = [merchantName, terminalId, at.format(new Date(timestamp)), t('day:x.number', { number })];
  return (
    <Stack gap="lg">
      <Text c="dimmed">{head.filter((part) => part !== '').join(' · ')}</Text>
      <TotalsTable totals={totals} netAmount={netAmount} />
      <SchemeTable currency={totals.currency} rows={schemes} />
      <BreakdownTables figures={report} currency={totals.currency} />
      <JournalFoot head={report.journalHead} />
    </Stack>
  );
}
