import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { formatMinor } from '../../../app/domain/money.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { parseAmount } from '../sell/sale-amounts.ts';
import styles from './give-back-form.module.css';
import { canGivePart, type GiveBackPlan, planGiveBack, wholeMinor } from './give-back-plan.ts';
import { giveBackReasons } from './give-back-reasons.ts';
import { GiveBackResult } from './give-back-result.tsx';
import { GiveBackRunning } from './give-back-running.tsx';
import { useGiveBack } from './use-give-back.ts';

export interface GiveBackFormProps {
  readonly detail: ActivityDetail;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onClose: () => void;
}

/** How much, why it is a void or a refund, and what is left; then the steps at the terminal, and the end in a sentence. */
export function GiveBackForm({ detail, onBusy, onClose }: GiveBackFormProps) {
  const { t } = useTexts();
  const money = useMoney();
  const { terminals } = useSession();
  // What was offered when the form opened: the detail behind it changes while the terminal works.
  const [offer] = useState(detail);
  const [wanted, setPlan] = useState(() => planGiveBack(offer, { kind: 'ALL' }));
  const giveBack = useGiveBack({
    terminalId: offer.terminalId,
    transactionId: offer.transaction.transactionId,
  });
  const knowsAbort = terminals.find(({ terminalId }) => terminalId === offer.terminalId)?.capabilities.abort ?? true;
  const { isBusy, unseen } = giveBack;
  const plan = unseen ?? wanted;
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);

  const { currency } = offer.transaction;
  if (giveBack.result !== undefined) return <GiveBackResult result={giveBack.result} onClose={onClose} />;
  const action =
    plan === undefined ? '' : t('activity:giveBack.confirm', { amount: money(plan.amountMinor, currency) });
  return (
    <>
      {isBusy && !giveBack.dialog.isOpen ? (
        <GiveBackRunning lastEvent={giveBack.lastEvent} knowsAbort={knowsAbort} onAbort={giveBack.abort} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (plan !== undefined) giveBack.start(plan);
          }}
        >
          <Stack gap="md">
            {unseen === undefined ? (
              <HowMuch offer={offer} onPlan={setPlan} />
            ) : (
              <Text fw={600}>{t('activity:giveBack.unseen', { amount: money(unseen.amountMinor, currency) })}</Text>
            )}
            <Problem error={giveBack.error} />
            <Group justify="flex-end">
              <Button variant="default" size="lg" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              <Button type="submit" size="lg" disabled={plan === undefined}>
                {unseen !== undefined ? t('activity:giveBack.askAgain') : action || t('activity:giveBack.action')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
      <ConfirmWithPin title={action} {...giveBack.dialog} />
    </>
  );
}

interface HowMuchProps {
  readonly offer: ActivityDetail;
  readonly onPlan: (plan: GiveBackPlan | undefined) => void;
}

function HowMuch({ offer, onPlan }: HowMuchProps) {
  const { t } = useTexts();
  const money = useMoney();
  const { currency } = offer.transaction;
  const exponent = exponentOf(currency);
  const [isPart, setIsPart] = useState(false);
  const [text, setText] = useState('');
  const partMinor = parseAmount(text, exponent);
  const part = partMinor === undefined ? undefined : planGiveBack(offer, { kind: 'PART', amountMinor: partMinor });
  const plan = isPart ? part : planGiveBack(offer, { kind: 'ALL' });
  const tell = (nextIsPart: boolean, nextText: string) => {
    setIsPart(nextIsPart);
    setText(nextText);
    const minor = parseAmount(nextText, exponent);
    if (!nextIsPart) onPlan(planGiveBack(offer, { kind: 'ALL' }));
    else onPlan(minor === undefined ? undefined : planGiveBack(offer, { kind: 'PART', amountMinor: minor }));
  };
  return (
    <>
      {canGivePart(offer) ? (
        <SegmentedControl
          size="md"
          classNames={{ label: styles.choice }}
          fullWidth
          aria-label={t('activity:giveBack.howMuch')}
          value={isPart ? 'PART' : 'ALL'}
          onChange={(value) => tell(value === 'PART', text)}
          data={[
            { value: 'ALL', label: t('activity:giveBack.all', { amount: money(wholeMinor(offer), currency) }) },
            { value: 'PART', label: t('activity:giveBack.part') },
          ]}
        />
      ) : null}
      {isPart ? (
        <TextInput
          size="lg"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          autoFocus
          label={t('activity:giveBack.amount', { currency })}
          description={t('activity:giveBack.upTo', { amount: money(offer.refundableMinor, currency) })}
          placeholder={formatMinor(offer.refundableMinor, exponent)}
          error={text !== '' && part === undefined ? t('activity:giveBack.notThisAmount') : undefined}
          value={text}
          onChange={(event) => tell(true, event.currentTarget.value)}
        />
      ) : null}
      <Text>
        {isPart && offer.giveBack.kind === 'VOID'
          ? t('activity:giveBack.partIsRefund')
          : t(giveBackReasons[offer.giveBack.reason])}{' '}
        {plan === undefined || plan.leftMinor === 0
          ? ''
          : t('activity:giveBack.leftAfter', { amount: money(plan.leftMinor, currency) })}
      </Text>
    </>
  );
}

function Problem({ error }: { readonly error: unknown }) {
  const refusalText = useRefusalText();
  if (error === null) return null;
  const { sentence, code } = refusalText(error);
  return (
    <Alert color="yellow" role="alert" title={sentence}>
      <span className="code">{code}</span>
    </Alert>
  );
}
