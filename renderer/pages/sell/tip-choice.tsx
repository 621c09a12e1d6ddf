import { NativeSelect } from '@mantine/core';
import type { OfferedTips } from '../../../app/contract/console/sell.ts';
import type { ChosenTip, TipOffer } from '../../../app/domain/tip-choices.ts';
import { noTip } from '../../../app/domain/tip-choices.ts';
import { parseTipSource } from '../../../app/domain/tip-source.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { type Draft, withoutTip } from './draft.ts';
import styles from './panel.module.css';

export interface TipChoiceProps {
  readonly draft: Draft;
  readonly tips: OfferedTips;
  readonly offer: TipOffer | undefined;
  /** The terminal asks the cardholder when nothing is chosen here. */
  readonly isAskedAtTerminal: boolean;
  readonly onChange: (draft: Draft) => void;
  /** An amount is to be typed. */
  readonly onOther: () => void;
}

const OTHER = 'custom';
const UNCHOSEN = '';

/** The tips that the merchant offers for the amount, as one list. */
export function TipChoice({ draft, tips, offer, isAskedAtTerminal, onChange, onOther }: TipChoiceProps) {
  const { t, formats } = useTexts();
  const money = useMoney();
  const words = ({ tipSource, tipAmountMinor }: ChosenTip) => {
    const source = parseTipSource(tipSource);
    const amount = money(tipAmountMinor, tips.currency);
    if (source.kind !== 'PRESET') return amount;
    const percent = formats.number({ style: 'percent', maximumFractionDigits: 2 });
    return `${percent.format(source.basisPoints / 10_000)} · ${amount}`;
  };
  const isTyped = draft.tipSource === undefined && draft.tipMinor > 0;
  const other = isTyped ? [t('sell:tip.other'), money(draft.tipMinor, tips.currency)] : [t('sell:tip.other')];
  const none = { value: noTip.tipSource, label: t('sell:tip.none') };
  return (
    <NativeSelect
      className={styles.choice}
      aria-label={t('sell:options.tip')}
      value={draft.tipSource ?? (isTyped ? OTHER : UNCHOSEN)}
      disabled={offer === undefined}
      onChange={(event) => {
        const { value } = event.currentTarget;
        if (value === OTHER) onOther();
        else onChange({ ...withoutTip(draft), ...(value === UNCHOSEN ? {} : { tipSource: value }) });
      }}
      data={[
        ...(isAskedAtTerminal
          ? [{ value: UNCHOSEN, label: t('sell:tip.atTerminal') }, none]
          : [{ ...none, value: UNCHOSEN }]),
        ...(offer?.tips ?? []).map((tip) => ({ value: tip.tipSource, label: words(tip) })),
        ...(tips.allowCustomAmount ? [{ value: OTHER, label: other.join(' · ') }] : []),
      ]}
    />
  );
}
