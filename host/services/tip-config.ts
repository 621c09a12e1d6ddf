import type { TerminalTipConfigRequest, TerminalTipConfigResponse } from '../../app/contract/host/tip-config.ts';
import { checkTipConfiguration } from '../../app/domain/tip-source.ts';
import type { TipConfigRecord } from '../ports/host-records.ts';
import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';

/** PUT /v1/staff/merchants/{id}/terminal-tip-config (specification: Tip configuration; decisions: Tip configuration). */
export function createPutTipConfig({ store, clock, links }: HostDeps): Pick<MerchantCalls, 'putTipConfig'> {
  return {
    async putTipConfig(caller, merchantId, request) {
      if (merchantId !== caller.merchantId) throw notFound('merchant');
      checkTipConfiguration(request);
      const terminals = await store.read.listTerminals(merchantId);
      const [first] = terminals;
      if (first === undefined) throw notFound('merchant with a terminal');
      const { before, saved } = await store.transact(async (unit) => ({
        before: await unit.findTipConfig(merchantId),
        saved: await unit.saveTipConfig(merchantId, request, clock.nowMs()),
      }));
      if (before?.configVersion !== saved.configVersion) {
        for (const terminal of terminals) links.wake(terminal, 'CONFIGURATION');
      }
      return tipConfigFor(first, saved);
    },
  };
}

/** Before anybody has configured tips: none are asked for. */
const noTips: TerminalTipConfigRequest = {
  enabled: false,
  presetBasisPoints: [],
  allowCustomAmount: false,
  postAuthAdjustEnabled: false,
  maxAmountMinor: 0,
  maxBasisPoints: 0,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

/** The configuration as one terminal downloads it; version 0 before there is one. */
export function tipConfigFor(
  terminal: { readonly merchantId: string; readonly terminalId: string; readonly currency: string },
  saved: TipConfigRecord | undefined,
): TerminalTipConfigResponse {
  const config = saved?.config ?? noTips;
  return {
    terminalId: terminal.terminalId,
    merchantId: terminal.merchantId,
    currencyCode: terminal.currency,
    configVersion: saved?.configVersion ?? 0,
    tipEnabled: config.enabled,
    tipPresetBasisPoints: config.presetBasisPoints,
    tipAllowCustomAmount: config.allowCustomAmount,
    tipPostAuthAdjustEnabled: config.postAuthAdjustEnabled,
    tipMaxAmountMinor: config.maxAmountMinor,
    tipMaxBasisPoints: config.maxBasisPoints,
    tipFixedAmountMinor: config.fixedAmountMinor,
    tipFixedAmountThresholdMinor: config.fixedAmountThresholdMinor,
  };
}
