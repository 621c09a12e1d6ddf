import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { totalOf } from '../sell/sale-amounts.ts';
import { paymentState } from './payment-state.ts';

export interface GiveBackResultProps {
  readonly result: TransactionResponse;
  readonly onClose: () => void;
}

/** The end of a void or refund in one sentence, and what to do next; the code stands small below. */
export function GiveBackResult({ result, onClose }: GiveBackResultProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const money = useMoney();
  const { tone, word } = paymentState({ ...result, charged: result.outcome?.charged ?? 'NO' });
  const code = result.errorCode ?? result.responseCode ?? result.cancelledReason;
  return (
    <Stack gap="sm" role="status" data-testid="give-back-result">
      <Group justify="space-between" gap="md" wrap="nowrap">
        <Stack gap={4}>
          <Group gap="sm">
            <StatusBadge tone={tone}>{t(word)}</StatusBadge>
            {code === undefined ? null : <span className="code">{code}</span>}
          </Group>
          <Text size="lg" fw={600}>
            {t(sentenceOf(tone), { amount: money(totalOf(result), result.currency) })}
          </Text>
        </Stack>
        {tone === 'UNKNOWN' ? (
          <Button size="lg" onClick={() => void navigate({ to: '/attention' })}>
            {t('activity:giveBack.toAttention')}
          </Button>
        ) : (
          <Button size="lg" onClick={onClose}>
            {t('activity:giveBack.done')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function sentenceOf(tone: Tone) {
  if (tone === 'GOOD') return 'activity:giveBack.given' as const;
  return tone === 'UNKNOWN' ? ('activity:giveBack.unknown' as const) : ('activity:giveBack.notGiven' as const);
}
