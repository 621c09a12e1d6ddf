import { type Static, Type } from 'typebox';
import { Currency, count, minorUnits, nullable } from '../parts.ts';
import { MAX_TIP_BASIS_POINTS, MAX_TIP_PRESETS } from './host-limits.ts';
import { HostTerminalId, MerchantId, strict } from './host-parts.ts';

/** Tip choices of a merchant, which its terminals download (specification: TerminalTipConfig; decisions: Tip configuration). */

function basisPoints(description: string) {
  return Type.Integer({ minimum: 0, maximum: MAX_TIP_BASIS_POINTS, description: `${description}, in 1/10,000.` });
}

const shapes = {
  enabled: Type.Boolean({ description: 'Whether the terminal asks for a tip.' }),
  presetBasisPoints: Type.Array(basisPoints('Share of the goods that is offered'), {
    maxItems: MAX_TIP_PRESETS,
    description: 'Shares of the goods that are offered, in 1/10,000: 1500 is 15 %.',
  }),
  allowCustomAmount: Type.Boolean({ description: 'Whether the cardholder may enter an amount.' }),
  postAuthAdjustEnabled: Type.Boolean({
    description:
      'Whether purchases are authorized, then tip-adjusted, then captured; in effect only where the acquirer can adjust tips.',
  }),
  maxAmountMinor: minorUnits(0, 'Largest tip in minor units.'),
  maxBasisPoints: basisPoints('Largest tip as a share of the goods'),
  fixedAmountMinor: nullable(minorUnits(1, 'Tip of a fixed amount that is offered, in minor units; null: none.')),
  fixedAmountThresholdMinor: nullable(
    minorUnits(0, 'Goods in minor units below which the fixed amount is offered; null: always.'),
  ),
};

/** PUT /v1/staff/merchants/{id}/terminal-tip-config: replaces the whole configuration. */
export const TerminalTipConfigRequest = Type.Object(shapes, {
  ...strict,
  description: 'The tip choices of a merchant, as a whole.',
});
export type TerminalTipConfigRequest = Static<typeof TerminalTipConfigRequest>;

export const TerminalTipConfigResponse = Type.Object(
  {
    terminalId: HostTerminalId,
    merchantId: MerchantId,
    currencyCode: Currency,
    configVersion: count('Version of the configuration; rises by one per change.'),
    tipEnabled: shapes.enabled,
    tipPresetBasisPoints: shapes.presetBasisPoints,
    tipAllowCustomAmount: shapes.allowCustomAmount,
    tipPostAuthAdjustEnabled: shapes.postAuthAdjustEnabled,
    tipMaxAmountMinor: shapes.maxAmountMinor,
    tipMaxBasisPoints: shapes.maxBasisPoints,
    tipFixedAmountMinor: shapes.fixedAmountMinor,
    tipFixedAmountThresholdMinor: shapes.fixedAmountThresholdMinor,
  },
  {
    ...strict,
    description: "The tip choices as a terminal downloads them; for a PUT, of the merchant's first terminal.",
  },
);
export type TerminalTipConfigResponse = Static<typeof TerminalTipConfigResponse>;
