import { Button, NativeSelect, Title } from '@mantine/core';
import { IconCalendarStats } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { CloseWizard } from './close-wizard.tsx';
import { ClosedDays } from './closed-days.tsx';
import styles from './day-page.module.css';
import { EarlierView } from './earlier-view.tsx';
import { ReportView } from './report-view.tsx';
import { SchedulePanel } from './schedule-panel.tsx';

/** In the place of a settlement: the view of all closed days. No settlement has this identifier. */
const allDays = 'all';

/** The day of each terminal: what is open, its totals, its close; and the reports of the closed ones at addresses of their own. */
export function DayPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { terminals } = useSession();
  const { settlementId } = useParams({ strict: false });
  const [chosen, setChosen] = useState<string>();
  const terminalId = chosen ?? terminals[0]?.terminalId;
  const show = (id: string | undefined) => void navigate({ to: '/day/{-$settlementId}', params: { settlementId: id } });
  if (settlementId === allDays) return <EarlierView onShow={show} onBack={() => show(undefined)} />;
  if (settlementId !== undefined) return <ReportView settlementId={settlementId} onBack={() => show(undefined)} />;
  return (
    <div className={styles.page}>
      <section className={styles.main}>
        <div className={styles.heading}>
          <Title order={1}>{t('day:title')}</Title>
          {terminals.length > 1 ? (
            <NativeSelect
              aria-label={t('day:terminal')}
              value={terminalId}
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={terminals.map((terminal) => terminal.terminalId)}
            />
          ) : null}
        </div>
        {terminalId === undefined ? null : (
          <CloseWizard key={terminalId} terminalId={terminalId} onClosed={(id) => show(id)} />
        )}
      </section>
      <section className={styles.side}>
        <SchedulePanel />
        <div className={styles.heading}>
          <Title order={2}>{t('day:earlier.title')}</Title>
          <Button
            variant="default"
            leftSection={<IconCalendarStats size={20} aria-hidden />}
            onClick={() => show(allDays)}
          >
            {t('day:earlier.all')}
          </Button>
        </div>
        <ClosedDays onShow={show} />
      </section>
    </div>
  );
}
