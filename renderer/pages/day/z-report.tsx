import { Text, Title } from '@mantine/core';
import type { DayReport } from '../../../app/contract/console/day.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { callerName } from '../activity/payment-state.ts';
import { BreakdownTables } from './breakdown-tables.tsx';
import { CashCountSummary } from './cash-count-summary.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { Differences } from './differences.tsx';
import { JournalFoot } from './journal-foot.tsx';
import { NamedDifferences } from './named-differences.tsx';
import styles from './report.module.css';
import { SchemeTable } from './scheme-table.tsx';
import { settlementState } from './settlement-state.ts';
import { TotalsTable } from './totals-table.tsx';

/** A closed day as an accountant keeps it: numbered, dated, totals ruled, every difference named, the journal's hash at the foot. */
export function ZReport({ report }: { readonly report: DayReport }) {
  const { t, formats } = useTexts();
  const { merchantName } = useSession();
  const { settlement, number, businessDate, closedBy, journalHead, schemes, preAuthCount, cashCount } = report;
  const { tone, word } = settlementState(settlement.status);
  const at = formats.dateTime({ dateStyle: 'long', timeStyle: 'medium' });
  const day = formats.dateTime({ dateStyle: 'full', timeZone: 'UTC' });
  const facts = [
    [t('day:z.shop'), merchantName],
    [t('day:z.merchant'), settlement.merchantId],
    [t('day:z.terminal'), settlement.terminalId],
    [t('day:z.businessDay'), day.format(new Date(`${businessDate}T00:00:00Z`))],
    [t('day:z.closedAt'), at.format(new Date(settlement.closedAt))],
    [t('day:z.closedBy'), closedBy === undefined ? undefined : callerName(closedBy)],
    [t('day:z.carriedOver'), preAuthCount === 0 ? undefined : String(preAuthCount)],
  ] as const;
  return (
    <article className={styles.report}>
      <div>
        <Title order={1} mb="sm">
          {t('day:z.title', { number })}
        </Title>
        <StatusBadge tone={tone}>{t(word)}</StatusBadge>
      </div>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .flatMap(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label}:`}>{value}</dd>])}
      </dl>
      <TotalsTable totals={settlement} netAmount={settlement.netAmount} />
      <SchemeTable currency={settlement.currency} rows={schemes} />
      <ColumnsTable report={report} />
      <Differences report={report} />
      <NamedDifferences report={report} />
      <BreakdownTables figures={report} currency={settlement.currency} />
      {cashCount === undefined ? null : <CashCountSummary count={cashCount} />}
      <JournalFoot head={journalHead}>
        <Text className="code">{settlement.id}</Text>
      </JournalFoot>
    </article>
  );
}
