import { Alert, Button, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { WaitingCapture } from '../../../app/contract/console/day.ts';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { errorTextKey, useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { parseAmount } from '../sell/sale-amounts.ts';
import styles from './close-wizard.module.css';
import { useCapture } from './use-day.ts';

/** Of a tip that is a right amount: it is above what the merchant allows. */
const TIP_REFUSED = 'INVALID_REQUEST';

interface WaitingCapturesProps {
  readonly terminalId: string;
  readonly captures: readonly WaitingCapture[];
}

/** Sales that keep the day open until they are captured: each with a field for its tip, and one button for all that get none. */
export function WaitingCaptures({ terminalId, captures }: WaitingCapturesProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const { signedIn } = useSession();
  const capture = useCapture(terminalId);
  const open = captures.filter(({ isOwed }) => !isOwed);
  const mayTake = sellingRoles.includes(signedIn.role);
  const isUnknown = capture.data?.isKnown === false && captures.length > 0;
  const told = capture.error === null ? undefined : refusalText(capture.error);
  if (captures.length === 0) return null;
  return (
    <div>
      <Title order={3}>{t('day:waiting.title')}</Title>
      <Text c="dimmed" mb="sm">
        {t('day:waiting.text')}
      </Text>
      <div role="status">
        {told === undefined ? null : (
          <Alert color="yellow" title={told.code === TIP_REFUSED ? t('day:waiting.tooHigh') : told.sentence} />
        )}
        {isUnknown ? <Alert color="yellow" title={t('day:waiting.unknown')} /> : null}
      </div>
      <ul className={styles.list}>
        {captures.map((each) => (
          <WaitingSale
            key={each.transactionId}
            sale={each}
            isBusy={capture.isPending}
            onTake={
              mayTake && !each.isOwed
                ? (tipAmount) => capture.mutate([{ transactionId: each.transactionId, tipAmount }])
                : undefined
            }
          />
        ))}
      </ul>
      {mayTake && open.length > 0 ? (
        <Button
          variant="default"
          loading={capture.isPending}
          onClick={() => capture.mutate(open.map(({ transactionId }) => ({ transactionId })))}
        >
          {t('day:waiting.takeAll', { count: open.length })}
        </Button>
      ) : null}
    </div>
  );
}

interface WaitingSaleProps {
  readonly sale: WaitingCapture;
  readonly isBusy: boolean;
  /** Takes the payment with this tip, minor units; absent where nothing is to be entered. */
  readonly onTake: ((tipAmount: number) => void) | undefined;
}

function WaitingSale({ sale, isBusy, onTake }: WaitingSaleProps) {
  const { t } = useTexts();
  const money = useMoney();
  const localTime = useLocalTime();
  const [text, setText] = useState('');
  const { amount, currency, timestamp, lastFour, referenceId, isOwed, refusal } = sale;
  const tip = text.trim() === '' ? 0 : parseAmount(text, exponentOf(currency));
  const sum = money(amount, currency);
  const reason =
    refusal === undefined ? undefined : t(refusal === TIP_REFUSED ? 'day:waiting.tooHigh' : errorTextKey(refusal));
  const error =
    tip === undefined
      ? t('day:waiting.wrong')
      : reason === undefined || text !== ''
        ? undefined
        : t('day:waiting.refused', { reason });
  return (
    <li>
      <span>
        <span className="figures">{localTime(timestamp)}</span> <span className="figures">{sum}</span>{' '}
        {lastFour === undefined ? null : <span className="code">…{lastFour}</span>}{' '}
        {referenceId === undefined ? null : <span>{referenceId}</span>}
      </span>
      {isOwed ? <StatusBadge tone="INFO">{t('day:waiting.owed')}</StatusBadge> : null}
      {onTake === undefined ? null : (
        <form
          className={styles.tip}
          onSubmit={(event) => {
            event.preventDefault();
            if (tip !== undefined && !isBusy) onTake(tip);
          }}
        >
          <TextInput
            aria-label={t('day:waiting.tip', { amount: sum })}
            placeholder={t('day:waiting.tip', { amount: sum })}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            error={error}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" disabled={tip === undefined} loading={isBusy}>
            {t('day:waiting.take')}
          </Button>
        </form>
      )}
    </li>
  );
}
