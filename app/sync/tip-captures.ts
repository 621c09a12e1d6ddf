import { BridgeError } from '../contract/errors.ts';
import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import { isoOf } from '../domain/instant.ts';
import { checkTip, type TipConfiguration } from '../domain/tip-source.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { Clock } from '../ports/clock.ts';
import type { TipCaptures } from '../ports/tip-captures.ts';
import type { Outbox } from './outbox.ts';
import { captureItemOf, type NewOutboxItem, newOutboxItem } from './outbox-item.ts';

export interface TipCapturesDeps {
  readonly outbox: Pick<Outbox, 'find' | 'attempt' | 'subscribe'>;
  readonly clock: Clock;
  /** What the host told last of a terminal; undefined while it has told nothing. */
  configOf(terminalId: string): DeviceConfigResponse | undefined;
  /** Whether the host of a terminal has answered last. */
  isReached(terminalId: string): boolean;
}

export function createTipCaptures({ outbox, clock, configOf, isReached }: TipCapturesDeps): TipCaptures {
  return {
    check(record, tipAmountMinor) {
      const config = configOf(record.terminalId);
      if (config === undefined || tipAmountMinor === record.tipAmountMinor) return;
      const { transactionId, amountMinor: goodsMinor } = record;
      if (!config.acquirer.tipAdjust) {
        const details = { transactionId };
        throw new BridgeError('TIP_ADJUST_NOT_SUPPORTED', 'the acquirer cannot adjust tips', { details });
      }
      try {
        checkTip({ tipAmountMinor, goodsMinor }, configurationOf(config));
      } catch (error) {
        throw namingTipAmount(error);
      }
    },
    noteBegun(unit, record) {
      unit.saveOutboxItem(newOutboxItem(firstItemOf(record), isoOf(clock.nowMs())));
    },
    async send(transactionId) {
      for (const kind of ['TIP_ADJUST', 'CAPTURE'] as const) {
        const item = outbox.find(transactionId, kind);
        if (item?.state !== 'WAITING') continue;
        const standing = await outbox.attempt(transactionId, kind);
        if (standing === 'WAITING' && !isReached(item.terminalId)) return false;
        if (standing !== 'DONE') return true;
      }
      return true;
    },
    subscribe: (listener) =>
      outbox.subscribe(({ kind, transactionId }) => {
        if (kind === 'TIP_ADJUST' || kind === 'CAPTURE') listener(transactionId);
      }),
  };
}

/** The tip first, where it is another one than was authorized; the capture is owed once the host holds it. */
function firstItemOf(record: TransactionRecord): NewOutboxItem {
  const { tipCapture } = record;
  const tipAmountMinor = tipCapture?.tipAmountMinor ?? record.tipAmountMinor;
  if (tipAmountMinor === record.tipAmountMinor) return captureItemOf(record);
  const { terminalId, transactionId } = record;
  const keyName = tipCapture?.captureId ?? transactionId;
  return { terminalId, transactionId, kind: 'TIP_ADJUST', body: { tipAmountMinor }, keyName };
}

function configurationOf({ tips }: DeviceConfigResponse): TipConfiguration {
  return {
    enabled: tips.tipEnabled,
    presetBasisPoints: tips.tipPresetBasisPoints,
    allowCustomAmount: tips.tipAllowCustomAmount,
    maxAmountMinor: tips.tipMaxAmountMinor,
    maxBasisPoints: tips.tipMaxBasisPoints,
    fixedAmountMinor: tips.tipFixedAmountMinor,
  };
}

/** A POS calls it by another name than the host. */
function namingTipAmount(error: unknown): unknown {
  if (!(error instanceof BridgeError) || error.field !== 'tipAmountMinor') return error;
  return new BridgeError(error.code, error.message.replace('tipAmountMinor', 'tipAmount'), { field: 'tipAmount' });
}
