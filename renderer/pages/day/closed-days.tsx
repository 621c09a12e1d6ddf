import { Button, Stack, Text, UnstyledButton } from '@mantine/core';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { MoneyText } from '../../components/money-text.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './closed-days.module.css';
import { settlementState } from './settlement-state.ts';
import { type TimeRange, useClosedDays } from './use-day.ts';

export interface ClosedDaysProps {
  /** All when absent. */
  readonly range?: TimeRange;
  readonly onShow: (settlementId: string) => void;
}

/** Earlier closes, newest first; each opens its report. */
export function ClosedDays({ range, onShow }: ClosedDaysProps) {
  const { t, formats } = useTexts();
  const closed = useClosedDays(range);
  if (closed.isPending) return <LoadingState />;
  if (closed.isError) return <ErrorState error={closed.error} onRetry={() => void closed.refetch()} />;
  const at = formats.dateTime({ dateStyle: 'medium', timeStyle: 'short' });
  const settlements = closed.data.pages.flatMap((page) => page.data);
  if (settlements.length === 0)
    return <Text c="dimmed">{t(range === undefined ? 'day:earlier.none' : 'day:earlier.noneInRange')}</Text>;
  return (
    <Stack gap="xs">
      <ul className={styles.list}>
        {settlements.map((settlement) => {
          const { tone, word } = settlementState(settlement.status);
          return (
            <li key={settlement.id}>
              <UnstyledButton className={styles.entry} onClick={() => onShow(settlement.id)}>
                <span className="figures">{at.format(new Date(settlement.closedAt))}</span>
                <MoneyText amountMinor={settlement.netAmount} currency={settlement.currency} isStrong />
                <span className="quiet">{settlement.terminalId}</span>
                <StatusBadge tone={tone}>{t(word)}</StatusBadge>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      {closed.hasNextPage ? (
        <Button variant="default" loading={closed.isFetchingNextPage} onClick={() => void closed.fetchNextPage()}>
          {t('day:earlier.more')}
        </Button>
      ) : null}
    </Stack>
  );
}
