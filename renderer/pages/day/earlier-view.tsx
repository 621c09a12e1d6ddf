import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../hooks/use-texts.ts';
import { ClosedDays } from './closed-days.tsx';
import { DaysChart } from './days-chart.tsx';
import styles from './earlier-view.module.css';
import { ExportDialog } from './export-dialog.tsx';
import type { TimeRange } from './use-day.ts';
import { useExport } from './use-export.ts';

const dayMs = 86_400_000;
/** Days that are shown at first. */
const firstDays = 30;

export interface EarlierViewProps {
  readonly onShow: (settlementId: string) => void;
  readonly onBack: () => void;
}

/** The closed days of a time: as a chart, as a list, and as tables to take along. */
export function EarlierView({ onShow, onBack }: EarlierViewProps) {
  const { t } = useTexts();
  const [from, setFrom] = useState(() => dayText(new Date(Date.now() - firstDays * dayMs)));
  const [to, setTo] = useState(() => dayText(new Date()));
  const range = rangeOf(from, to);
  const payments = useExport();
  const closes = useExport();
  return (
    <div className={styles.page}>
      <Group justify="space-between">
        <Title order={1}>{t('day:earlier.days')}</Title>
        <Button variant="default" leftSection={<IconArrowLeft size={20} aria-hidden />} onClick={onBack}>
          {t('day:z.back')}
        </Button>
      </Group>
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end">
          <TextInput
            type="date"
            label={t('day:earlier.from')}
            value={from}
            max={to}
            onChange={(event) => setFrom(event.currentTarget.value || from)}
          />
          <TextInput
            type="date"
            label={t('day:earlier.to')}
            value={to}
            min={from}
            onChange={(event) => setTo(event.currentTarget.value || to)}
          />
        </Group>
        <Group>
          <Button
            variant="default"
            leftSection={<IconDownload size={20} aria-hidden />}
            onClick={() => closes.start({ kind: 'CLOSES', range })}
          >
            {t('day:export.closes')}
          </Button>
          <Button
            leftSection={<IconDownload size={20} aria-hidden />}
            onClick={() => payments.start({ kind: 'PAYMENTS', range })}
          >
            {t('day:export.payments')}
          </Button>
        </Group>
      </Group>
      <ExportDialog state={payments} title={t('day:export.payments')} />
      <ExportDialog state={closes} title={t('day:export.closes')} />
      <Stack gap="lg">
        <DaysChart range={range} />
        <section>
          <Title order={2} mb="sm">
            {t('day:earlier.title')}
          </Title>
          <ClosedDays range={range} onShow={onShow} />
        </section>
      </Stack>
    </div>
  );
}

/** YYYY-MM-DD as the browser's clock has it. */
function dayText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Both days included. */
function rangeOf(from: string, to: string): TimeRange {
  const end = new Date(`${to}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return { from: new Date(`${from}T00:00:00`).toISOString(), to: end.toISOString() };
}
