import { Button, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DayReport } from '../../../app/contract/console/day.ts';
import type { DayDifference } from '../../../app/contract/settlements.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { cardName } from '../activity/payment-state.ts';
import styles from './differences.module.css';

const causeWords = {
  NOT_FORWARDED: 'day:cause.notForwarded',
  TIP_LATE: 'day:cause.tipLate',
  VOID_AFTER_CUT_OFF: 'day:cause.voidAfterCutOff',
  TERMINAL_ONLY: 'day:cause.terminalOnly',
  OPEN_AUTHORIZATION: 'day:cause.openAuthorization',
  BUSINESS_DATE: 'day:cause.businessDate',
  UNKNOWN: 'day:cause.unknown',
} as const satisfies Record<DayDifference['cause'], string>;

const ownerWords = {
  TILL: 'day:owner.till',
  SHOP: 'day:owner.shop',
  ACQUIRER: 'day:owner.acquirer',
  HOST: 'day:owner.host',
} as const satisfies Record<DayDifference['owner'], string>;

const sideWords = { TERMINAL: 'day:column.terminal', HOST: 'day:column.host' } as const;

/** Each difference of the day by itself: at which side, what it is, and who clears it up. */
export function NamedDifferences({ report }: { readonly report: DayReport }) {
  const { t } = useTexts();
  const { namedDifferences, settlement } = report;
  if (namedDifferences.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="sm">
        {t('day:named.title')}
      </Title>
      <ul className={styles.list}>
        {namedDifferences.map((difference) => (
          <NamedDifference key={keyOf(difference)} difference={difference} currency={settlement.currency} />
        ))}
      </ul>
    </section>
  );
}

function keyOf({ side, cause, scheme, operation, transactionId, amount }: DayDifference): string {
  return [side, cause, scheme, operation, transactionId, amount].join(' ');
}

interface NamedDifferenceProps {
  readonly difference: DayDifference;
  readonly currency: string;
}

function NamedDifference({ difference, currency }: NamedDifferenceProps) {
  const { t } = useTexts();
  const money = useMoney();
  const navigate = useNavigate();
  const { side, cause, owner, scheme, transactionId, amount } = difference;
  const card = scheme === undefined || scheme === 'OTHER' ? undefined : (cardName(scheme, undefined) ?? scheme);
  const place = [t(sideWords[side]), card].filter((part) => part !== undefined).join(', ');
  return (
    <li className={styles.named}>
      <span>
        <Text fw={600}>
          {place}: <span className="figures">{money(amount, currency)}</span>
        </Text>
        <Text>{t(causeWords[cause])}</Text>
        <Text c="dimmed">{t(ownerWords[owner])}</Text>
      </span>
      {transactionId === undefined ? null : (
        <Button
          variant="default"
          className={styles.show}
          onClick={() => void navigate({ to: `/activity/${transactionId}` })}
        >
          {t('day:open.show')}
        </Button>
      )}
    </li>
  );
}
