import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PIECES } from '../../../app/contract/console/console-limits.ts';
import type { DayPreview } from '../../../app/contract/console/day.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { parseAmount } from '../sell/sale-amounts.ts';
import { CashCountSummary } from './cash-count-summary.tsx';
import styles from './cash-step.module.css';

export interface CashStepProps {
  readonly terminalId: string;
  readonly currency: string;
  readonly cash: NonNullable<DayPreview['cash']>;
}

/** The blind count: what is expected stays hidden until the count is on record. */
export function CashStep({ terminalId, currency, cash }: CashStepProps) {
  const { t } = useTexts();
  const [isCounting, setIsCounting] = useState(cash.count === undefined);
  if (cash.count === undefined || isCounting) {
    return <CountForm {...{ terminalId, currency, cash }} onCounted={() => setIsCounting(false)} />;
  }
  return (
    <Stack gap="md">
      <Title order={2}>{t('day:cash.title')}</Title>
      <CashCountSummary count={cash.count} />
      <Group>
        <Button variant="default" onClick={() => setIsCounting(true)}>
          {t('day:cash.again')}
        </Button>
      </Group>
    </Stack>
  );
}

function CountForm({ terminalId, currency, cash, onCounted }: CashStepProps & { readonly onCounted: () => void }) {
  const { t } = useTexts();
  const money = useMoney();
  const refusalText = useRefusalText();
  const [quantities, setQuantities] = useState<Readonly<Record<number, string>>>({});
  const [float, setFloat] = useState('');
  const [other, setOther] = useState('');
  const exponent = exponentOf(currency);
  const amountOf = (text: string) => (text.trim() === '' ? 0 : parseAmount(text, exponent));
  const pieces = cash.denominations.map((valueMinor) => ({ valueMinor, quantity: quantityOf(quantities[valueMinor]) }));
  const openingFloat = amountOf(float);
  const otherMinor = amountOf(other);
  const isRight =
    openingFloat !== undefined && otherMinor !== undefined && pieces.every((piece) => piece.quantity >= 0);
  const counted = pieces.reduce((sum, piece) => sum + piece.valueMinor * Math.max(0, piece.quantity), otherMinor ?? 0);
  const record = useCountCash(onCounted);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRight) return;
        record.mutate({
          terminalId,
          openingFloat,
          other: otherMinor,
          pieces: pieces.filter(({ quantity }) => quantity > 0),
        });
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={2}>{t('day:cash.title')}</Title>
          <Text c="dimmed">{t('day:cash.text')}</Text>
        </div>
        <TextInput
          label={`${t('day:cash.float')} (${currency})`}
          inputMode="decimal"
          autoComplete="off"
          maw={320}
          value={float}
          error={openingFloat === undefined ? t('day:cash.wrong') : undefined}
          onChange={(event) => setFloat(event.currentTarget.value)}
        />
        <div className={styles.pieces}>
          {pieces.map(({ valueMinor, quantity }) => (
            <div key={valueMinor} className={styles.piece}>
              <span className="figures" aria-hidden>
                {money(valueMinor, currency)} ×
              </span>
              <TextInput
                aria-label={t('day:cash.quantity', { piece: money(valueMinor, currency) })}
                inputMode="numeric"
                autoComplete="off"
                value={quantities[valueMinor] ?? ''}
                error={quantity < 0}
                onChange={(event) => setQuantities({ ...quantities, [valueMinor]: event.currentTarget.value })}
              />
            </div>
          ))}
        </div>
        <TextInput
          label={`${t('day:cash.other')} (${currency})`}
          inputMode="decimal"
          autoComplete="off"
          maw={320}
          value={other}
          error={otherMinor === undefined ? t('day:cash.wrong') : undefined}
          onChange={(event) => setOther(event.currentTarget.value)}
        />
        {record.error === null ? null : (
          <Alert color="yellow" role="alert" title={refusalText(record.error).sentence} />
        )}
        <Group justify="space-between">
          <Text size="lg" fw={600} aria-live="polite">
            {t('day:cash.counted')} <MoneyText amountMinor={counted} currency={currency} />
          </Text>
          <Button type="submit" disabled={!isRight} loading={record.isPending}>
            {t('day:cash.action')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCountCash(onCounted: () => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (count: Parameters<typeof api.call<'day.countCash'>>[1]) => {
      const view = await api.call('day.countCash', count);
      await queryClient.invalidateQueries({ queryKey: ['day.preview'] });
      return view;
    },
    onSuccess: onCounted,
  });
}

/** −1 for what is no number of pieces. */
function quantityOf(text = ''): number {
  if (text.trim() === '') return 0;
  const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : -1;
  return quantity <= MAX_PIECES ? quantity : -1;
}
