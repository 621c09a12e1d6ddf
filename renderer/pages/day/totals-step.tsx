import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { DayPreview } from '../../../app/contract/console/day.ts';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { SchemeTable } from './scheme-table.tsx';
import { TotalsTable } from './totals-table.tsx';

/** The X report: the day so far, by the same calculation as its close. */
export function TotalsStep({ day }: { readonly day: DayPreview }) {
  const { t, locale } = useTexts();
  const { merchantName } = useSession();
  const { totals, netAmount, byScheme, terminalId, timestamp } = day;
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const tables = (
    <Stack gap="lg">
      <TotalsTable totals={totals} netAmount={netAmount} />
      <SchemeTable
        currency={totals.currency}
        rows={byScheme.map(({ scheme, count, amount }) => ({ scheme, journal: { count, amount } }))}
      />
    </Stack>
  );
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2}>{t('day:x.title')}</Title>
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} aria-hidden />}
          onClick={() => {
            window.print();
          }}
        >
          {t('day:x.print')}
        </Button>
      </Group>
      {tables}
      <Text c="dimmed">{t('day:x.compared')}</Text>
      <PrintSheet>
        <h1>{t('day:x.title')}</h1>
        <p>{[merchantName, terminalId, at.format(new Date(timestamp))].filter((part) => part !== '').join(' · ')}</p>
        {tables}
      </PrintSheet>
    </Stack>
  );
}
