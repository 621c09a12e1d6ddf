import { Alert, Button, Group, Stepper, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { CashStep } from './cash-step.tsx';
import styles from './close-wizard.module.css';
import { ConfirmStep } from './confirm-step.tsx';
import { OpenStep } from './open-step.tsx';
import { PendingClose } from './pending-close.tsx';
import { TotalsStep } from './totals-step.tsx';
import { useDayPreview } from './use-day.ts';
import { usePendingClose } from './use-pending-close.ts';

export interface CloseWizardProps {
  readonly terminalId: string;
  readonly onClosed: (settlementId: string) => void;
}

/** From what is open, over the totals, to the close; each step can be gone back to. */
export function CloseWizard({ terminalId, onClosed }: CloseWizardProps) {
  const { t } = useTexts();
  const preview = useDayPreview(terminalId);
  const [wanted, setWanted] = useState(0);
  const pending = usePendingClose(terminalId, onClosed);
  if (preview.isPending) return <LoadingState />;
  if (preview.isError) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />;
  if (pending.task !== undefined) return <PendingClose task={pending.task} />;
  const day = preview.data;
  // Something that opens meanwhile leads back to where it is shown; the totals can be looked at all the same.
  const isBlocked = day.blockers.length > 0;
  const { cash } = day;
  const lastStep = cash === undefined ? 2 : 3;
  const isUncounted = cash !== undefined && cash.count === undefined;
  const furthest = isBlocked ? 1 : isUncounted ? 2 : lastStep;
  const step = Math.min(wanted, furthest);
  return (
    <div className={styles.wizard}>
      {pending.wasNotClosed ? <Alert color="yellow" role="status" title={t('day:confirm.failed')} /> : null}
      <Stepper active={step} onStepClick={setWanted} iconSize={44} wrap={false} className={styles.steps}>
        <Stepper.Step
          label={t('day:step.open')}
          allowStepSelect
          // What is open is not done with because it was looked at.
          {...(isBlocked ? { completedIcon: <IconAlertTriangle size={22} aria-hidden />, color: 'yellow' } : {})}
        />
        <Stepper.Step label={t('day:step.totals')} allowStepSelect />
        {cash === undefined ? null : <Stepper.Step label={t('day:step.cash')} allowStepSelect={!isBlocked} />}
        <Stepper.Step label={t('day:step.close')} allowStepSelect={furthest === lastStep} />
      </Stepper>
      <div className={styles.body}>
        {step === 0 ? <OpenStep day={day} /> : null}
        {step === 1 ? <TotalsStep terminalId={terminalId} /> : null}
        {step === 2 && cash !== undefined ? (
          <CashStep terminalId={terminalId} currency={day.totals.currency} cash={cash} />
        ) : null}
        {step === lastStep ? <ConfirmStep day={day} onClosed={onClosed} /> : null}
      </div>
      {step === lastStep ? null : (
        <Group justify="flex-end" gap="md">
          {isBlocked ? <Text c="dimmed">{t('day:open.count', { count: day.blockers.length })}</Text> : null}
          {!isBlocked && step === 2 && isUncounted ? <Text c="dimmed">{t('day:cash.missing')}</Text> : null}
          <Button size="lg" disabled={step >= furthest} onClick={() => setWanted(step + 1)}>
            {t('day:next')}
          </Button>
        </Group>
      )}
    </div>
  );
}
