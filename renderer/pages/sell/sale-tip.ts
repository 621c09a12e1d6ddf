import { useQuery } from '@tanstack/react-query';
import type { OfferedTips } from '../../../app/contract/console/sell.ts';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { noTip, type TipOffer, tipOfferOf } from '../../../app/domain/tip-choices.ts';
import { useConsole } from '../../hooks/console-context.ts';
import type { Draft, SaleTip } from './draft.ts';

/** The tips that the merchant offers on a terminal, asked anew for each sale; undefined where it offers none. */
export function useOfferedTips({ terminalId, currency }: TerminalView): OfferedTips | undefined {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['sell.tips', terminalId],
    queryFn: () => api.call('sell.tips', { terminalId }),
  });
  const tips = query.data?.tips;
  return tips?.enabled === true && tips.currency === currency ? tips : undefined;
}

/** What of them there is for the amount; undefined for what is no sale, and while there is no amount to take a share of. */
export function offerFor(draft: Draft, tips: OfferedTips | undefined, maxMinor: number): TipOffer | undefined {
  if (tips === undefined || draft.mode.kind !== 'SALE') return undefined;
  const roomMinor = Math.min(maxMinor, tips.largestTotalMinor) - draft.amountMinor - draft.cashbackMinor;
  return tipOfferOf(draft.amountMinor, tips, roomMinor);
}

/** @param tips undefined where the merchant offers none: then a typed tip is the shop's own */
export function tipOf(draft: Draft, tips: OfferedTips | undefined, offer: TipOffer | undefined): SaleTip {
  const { mode, tipMinor, tipSource } = draft;
  if (tips === undefined || mode.kind !== 'SALE') return { tipMinor };
  if (tipSource === noTip.tipSource) return { tipMinor: 0, tipSource };
  const chosen = offer?.tips.find((tip) => tip.tipSource === tipSource);
  if (chosen !== undefined) return { tipMinor: chosen.tipAmountMinor, tipSource: chosen.tipSource };
  if (tipSource !== undefined || tipMinor === 0 || !tips.allowCustomAmount) return { tipMinor: 0 };
  return { tipMinor, tipSource: 'custom' };
}

/** A typed tip that the merchant does not allow for this amount. */
export function isTipTooLarge({ tipMinor, tipSource }: SaleTip, offer: TipOffer | undefined): boolean {
  return tipSource === 'custom' && tipMinor > (offer?.customUpToMinor ?? 0);
}
