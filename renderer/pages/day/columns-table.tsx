import { Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import type { DayReport } from '../../../app/contract/console/day.ts';
import type { DayColumns } from '../../../app/contract/settlements.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './report.module.css';

type Host = NonNullable<DayColumns['host']>;

/** One line of the three columns; a side that does not tell it has none. */
interface Line {
  readonly word: 'day:totals.sales' | 'day:totals.voids' | 'day:totals.refunds' | 'day:totals.net';
  readonly journal: number;
  readonly terminal?: number | undefined;
  readonly host?: number | undefined;
}

/** What journal, terminal and host count of the same day, beside each other; shown where the host is told of the terminal's own payments. */
export function ColumnsTable({ report }: { readonly report: DayReport }) {
  const { t } = useTexts();
  const { columns, settlement } = report;
  const host = columns?.host;
  if (host === undefined) return null;
  return (
    <section className={styles.scroll}>
      <Title order={2} mb="sm">
        {t('day:columns.title')}
      </Title>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('day:column.what')}</th>
            <th scope="col">{t('day:column.journal')}</th>
            <th scope="col">{t('day:column.terminal')}</th>
            <th scope="col">{t('day:column.host')}</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(report).map((line) => (
            <ColumnLine key={line.word} line={line} host={host} currency={settlement.currency} />
          ))}
        </tbody>
      </table>
      <HostNote host={host} />
    </section>
  );
}

function linesOf({ settlement, columns, terminalTotal }: DayReport): readonly Line[] {
  const host = columns?.host?.totals;
  return [
    { word: 'day:totals.sales', journal: settlement.saleAmount, host: host?.saleAmount },
    { word: 'day:totals.voids', journal: -settlement.voidAmount, host: minus(host?.voidAmount) },
    { word: 'day:totals.refunds', journal: -settlement.refundAmount, host: minus(host?.refundAmount) },
    {
      word: 'day:totals.net',
      journal: settlement.netAmount,
      terminal: terminalTotal,
      host: host === undefined ? undefined : host.saleAmount - host.voidAmount - host.refundAmount,
    },
  ];
}

function minus(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : -amount;
}

interface ColumnLineProps {
  readonly line: Line;
  readonly host: Host;
  readonly currency: string;
}

function ColumnLine({ line, host, currency }: ColumnLineProps) {
  const { t } = useTexts();
  const { word, journal, terminal } = line;
  const isApart = [terminal, line.host].some((side) => side !== undefined && side !== journal);
  const cell = (amount: number | undefined, otherwise: string) =>
    amount === undefined ? (
      <Text span c="dimmed">
        {otherwise}
      </Text>
    ) : (
      <MoneyText amountMinor={amount === 0 ? 0 : amount} currency={currency} />
    );
  return (
    <tr data-differs={isApart}>
      <th scope="row">
        {isApart ? <IconAlertTriangle size={18} className={styles.sign} aria-label={t('day:differs')} /> : null}
        {t(word)}
      </th>
      <td>{cell(journal, '')}</td>
      <td>{cell(terminal, t('day:columns.notTold'))}</td>
      <td>{cell(line.host, t(host.state === 'NOT_YET' ? 'day:columns.notYet' : 'day:columns.notTold'))}</td>
    </tr>
  );
}

/** Why the host's column is empty, and what becomes of it. */
function HostNote({ host }: { readonly host: Host }) {
  const { t } = useTexts();
  if (host.state === 'TOLD') return null;
  const isWaiting = host.state === 'NOT_YET';
  const Sign = isWaiting ? IconClock : IconAlertTriangle;
  return (
    <Text mt="sm">
      <Sign size={18} className={styles.sign} aria-hidden />
      {t(isWaiting ? 'day:columns.hostWaits' : 'day:columns.hostRefused')}
      {host.message === undefined ? null : (
        <Text span c="dimmed">
          {' '}
          {host.message}
        </Text>
      )}
    </Text>
  );
}
