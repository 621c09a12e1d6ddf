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

/** The steps of a payment, each in its place before it is reached, so that nothing moves. */
export function Steps({ step }: { readonly step: SaleStep }) {
  const { t } = useTexts();
  const reached = order.indexOf(step);
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
