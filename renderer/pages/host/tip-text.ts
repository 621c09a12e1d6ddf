import type { HostLink } from '../../../app/contract/console/host.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';

const wholeBasisPoints = 10_000;

/** The tip configuration in force as one sentence: what is offered, and up to which amount. */
export function useTipText(): (tips: NonNullable<HostLink['tips']>) => string {
  const { t, formats } = useTexts();
  const money = useMoney();
  const share = (basisPoints: number) =>
    formats.number({ style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / wholeBasisPoints);
  return (tips) => {
    if (!tips.tipEnabled) return t('host:tip.off');
    const { currencyCode, tipFixedAmountMinor: fixed, tipFixedAmountThresholdMinor: below } = tips;
    const fixedText = fixed === null ? [] : [money(fixed, currencyCode)];
    const choices = [
      ...tips.tipPresetBasisPoints.map(share),
      ...(below === null
        ? fixedText
        : fixedText.map((tip) => t('host:tip.below', { tip, goods: money(below, currencyCode) }))),
      ...(tips.tipAllowCustomAmount ? [t('host:tip.custom')] : []),
    ];
    const most = t('host:tip.most', {
      share: share(tips.tipMaxBasisPoints),
      amount: money(tips.tipMaxAmountMinor, currencyCode),
    });
    return `${choices.join(' · ')} · ${most} · ${t('host:tip.version', { version: tips.configVersion })}`;
  };
}
