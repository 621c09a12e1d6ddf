import type { DeviceReconciliationRequest } from '../../app/contract/host/device-reconciliation.ts';
import type { ReconciliationResponse } from '../../app/contract/settlements.ts';
import { deviceDifferences, isExternalOnly } from '../../app/domain/close-differences.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { BatchTotals, SettlementRecord, TerminalRecord } from '../ports/host-records.ts';
import type { HostUnit, TerminalRef } from '../ports/host-store.ts';
import { blockersOf, dayCloseBlocked, openPreAuthsOf, totalsView } from './day-view.ts';
import type { DeviceCalls, HostAnswer, MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate, KeyedCall } from './idempotency-gate.ts';
import { notFound } from './not-found.ts';
import { requireOwnDevice } from './own-device.ts';
import { pickTerminal } from './picked-terminal.ts';
import { newBatchClose, tellAcquirer } from './tell-acquirer.ts';

/** What the caller counts; a merchant's server counts nothing. */
type Counted = Pick<DeviceReconciliationRequest, 'journalTotals' | 'externalTotals'>;

/**
 * POST /v1/reconciliation and /api/v1/terminal/reconciliation (specification: Reconciliation; decisions: Day close, EXTERNAL_RAIL, Settlements). One
 * commit closes the batch: key, settlement, the message for the acquirer, and the answer, which tells what is known by then. The acquirer is told
 * afterwards; whether it agrees is seen in the settlement.
 */
export function createCloseDay(
  deps: HostDeps,
  gate: IdempotencyGate,
): Pick<MerchantCalls, 'closeDay'> & Pick<DeviceCalls, 'closeOwnDay'> {
  const { store, log } = deps;

  async function run(
    keyed: KeyedCall,
    terminal: TerminalRecord,
    request: { readonly closeDay: boolean },
    counted: Counted,
  ): Promise<HostAnswer> {
    if (!request.closeDay) return await gate.atomically(keyed, (part) => dryRun(part, terminal, counted));
    // Drawn before the commit: a trace number that is not used is skipped.
    const message = await newBatchClose(deps, terminal);
    const answer = await gate.atomically(keyed, async (part) => {
      const settlement = await close(part, terminal, counted);
      if (isExternalOnly(settlement.totals)) await settleAtOnce(part.unit, settlement);
      else await part.unit.addBatchClose({ ...message, settlementId: settlement.id });
      return await responseOf(part, settlement.totals, settlement.differences, terminal, settlement.id);
    });
    if (answer.replayed) return answer;
    log.info('A day was closed.', { terminalId: terminal.terminalId });
    await tellAcquirer(deps, { merchantId: terminal.merchantId, settlementId: answer.subjectId });
    return answer;
  }

  return {
    async closeDay(caller, call, terminalId, request) {
      const terminal = await pickTerminal(store.read, caller.merchantId, terminalId);
      const keyed = { caller, call, body: request, terminalId: terminal.terminalId };
      return await run(keyed, terminal, request, {});
    },
    async closeOwnDay(caller, call, request) {
      requireOwnDevice(caller, request);
      const terminal = await store.read.findTerminal(caller);
      if (terminal === undefined) throw notFound('terminal');
      return await run({ caller, call, body: request }, terminal, request, request);
    },
  };
}

function differencesOf({ funded, external }: BatchTotals, counted: Counted): readonly string[] {
  return [
    ...deviceDifferences('journalTotals', funded, counted.journalTotals),
    ...deviceDifferences('externalTotals', external, counted.externalTotals),
  ];
}

/** The totals as they stand; nothing changes. */
async function dryRun(part: AtomicWork, terminal: TerminalRef, counted: Counted): Promise<ReconciliationResponse> {
  const totals = await part.unit.openTotals(terminal);
  return await responseOf(part, totals, differencesOf(totals, counted), terminal);
}

/** @throws BridgeError DAY_CLOSE_BLOCKED with the list */
async function close(part: AtomicWork, terminal: TerminalRecord, counted: Counted): Promise<SettlementRecord> {
  const { unit, subjectId: settlementId, atMs } = part;
  const { merchantId, terminalId } = terminal;
  const judge = (totals: BatchTotals) => {
    const differences = differencesOf(totals, counted);
    return { status: differences.length === 0 ? ('PENDING' as const) : ('PARTIAL' as const), differences };
  };
  const result = await unit.closeBatch({ merchantId, terminalId, settlementId, judge, atMs });
  if (result.kind === 'BLOCKED') throw dayCloseBlocked(await blockersOf(unit, merchantId, result.blockers));
  return result.settlement;
}

/** Nothing of it is the acquirer's: what the terminal's own acquirer funds is settled there. */
async function settleAtOnce(unit: HostUnit, settlement: SettlementRecord): Promise<void> {
  if (settlement.status === 'PENDING') await unit.moveSettlement(settlement, 'SETTLED', {});
}

async function responseOf(
  { unit, atMs }: AtomicWork,
  totals: BatchTotals,
  differences: readonly string[],
  terminal: TerminalRef,
  settlementId?: string,
): Promise<ReconciliationResponse> {
  const openPreAuths = await openPreAuthsOf(unit, terminal);
  const isPartial = differences.length > 0;
  return {
    status: isPartial ? 'PARTIAL' : 'SUCCESS',
    ...totalsView(totals),
    timestamp: isoOf(atMs),
    ...(settlementId === undefined ? {} : { settlementId }),
    ...(isPartial ? { differences: [...differences], message: 'The host counts otherwise than the terminal.' } : {}),
    ...(openPreAuths.length === 0 ? {} : { openPreAuths }),
  };
}
