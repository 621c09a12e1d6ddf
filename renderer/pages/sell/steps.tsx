import { IconCircle, IconCircleCheck, IconCircleDot } from '@tabler/icons-react';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SaleStep } from './sale-controller.ts';
import styles from './steps.module.css';

const order: readonly SaleStep[] = ['SENT', 'WAITING', 'CARD', 'PIN', 'PROCESSING'];

export const stepTexts = {
  SENT: 'sell:step.sent',
  WAITING: 'sell:step.waiting',
  CARD: 'sell:step.card',
  PIN: 'sell:step.pin',
  PROCESSING: 'sell:step.processing',
} as const satisfies Record<SaleStep, string>;

export interface StepsProps {
  /** Where the payment is; undefined when none runs, `DONE` when it has ended. */
  readonly step: SaleStep | 'DONE' | undefined;
}

/** The steps of a payment, each in its place before it is reached, so that nothing moves. */
export function Steps({ step }: StepsProps) {
  const { t } = useTexts();
  const reached = step === 'DONE' ? order.length : step === undefined ? -1 : order.indexOf(step);
  return (
    <ol className={styles.steps} aria-label={t('sell:steps')}>
      {order.map((one, index) => {
        const state = index < reached ? 'DONE' : index === reached ? 'NOW' : 'LATER';
        const Icon = icons[state];
        return (
          <li key={one} data-state={state} aria-current={state === 'NOW' ? 'step' : undefined}>
            <Icon size={20} stroke={2} aria-hidden />
            {t(stepNames[one])}
          </li>
        );
      })}
    </ol>
  );
}

const icons = { DONE: IconCircleCheck, NOW: IconCircleDot, LATER: IconCircle } as const;

const stepNames = {
  SENT: 'sell:stepName.sent',
  WAITING: 'sell:stepName.waiting',
  CARD: 'sell:stepName.card',
  PIN: 'sell:stepName.pin',
  PROCESSING: 'sell:stepName.processing',
} as const satisfies Record<SaleStep, string>;
