import { Button, Group, Stepper, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { DayPreview } from '../../../app/contract/console/day.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './close-wizard.module.css';
import { ConfirmStep } from './confirm-step.tsx';
import { OpenStep } from './open-step.tsx';
import { TotalsStep } from './totals-step.tsx';
import { useDayPreview } from './use-day.ts';

const lastStep = 2;

export interface CloseWizardProps {
  readonly terminalId: string;
  readonly onClosed: (settlementId: string) => void;
}

/** From what is open, over the totals, to the close; each step can be gone back to. */
export function CloseWizard({ terminalId, onClosed }: CloseWizardProps) {
  const { t } = useTexts();
  const preview = useDayPreview(terminalId);
  const [wanted, setWanted] = useState(0);
  if (preview.isPending) return <LoadingState />;
  if (preview.isError) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />;
  const day = preview.data;
  // Something that opens meanwhile leads back to where it is shown; the totals can be looked at all the same.
  const isBlocked = day.blockers.length > 0;
  const step = isBlocked ? Math.min(wanted, 1) : wanted;
  return (
    <div className={styles.wizard}>
      <Stepper active={step} onStepClick={setWanted} iconSize={44} wrap={false} className={styles.steps}>
        <Stepper.Step
          label={t('day:step.open')}
          allowStepSelect
          // What is open is not done with because it was looked at.
          {...(isBlocked ? { completedIcon: <IconAlertTriangle size={22} aria-hidden />, color: 'yellow' } : {})}
        />
        <Stepper.Step label={t('day:step.totals')} allowStepSelect />
        <Stepper.Step label={t('day:step.close')} allowStepSelect={!isBlocked} />
      </Stepper>
      <div className={styles.body}>
        <Step step={step} day={day} onClosed={onClosed} />
      </div>
      {step === lastStep ? null : (
        <Group justify="flex-end" gap="md">
          {isBlocked ? <Text c="dimmed">{t('day:open.count', { count: day.blockers.length })}</Text> : null}
          <Button size="lg" disabled={step === lastStep - 1 && isBlocked} onClick={() => setWanted(step + 1)}>
            {t('day:next')}
          </Button>
        </Group>
      )}
    </div>
  );
}

interface StepProps {
  readonly step: number;
  readonly day: DayPreview;
  readonly onClosed: (settlementId: string) => void;
}

function Step({ step, day, onClosed }: StepProps) {
  if (step === 0) return <OpenStep day={day} />;
  if (step === 1) return <TotalsStep day={day} />;
  return <ConfirmStep day={day} onClosed={onClosed} />;
}
