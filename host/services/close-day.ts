import type { DeviceReconciliationRequest } from '../../app/contract/host/device-reconciliation.ts';
import type { ReconciliationResponse } from '../../app/contract/settlements.ts';
import { deviceDifferences, isExternalOnly } from '../../app/domain/close-differences.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { BatchTotals, SettlementRecord, TerminalRecord } from '../ports/host-records.ts';
import type { BatchClose, CloseResult, HostUnit, TerminalRef } from '../ports/host-store.ts';
import { blockersOf, dayCloseBlocked, openPreAuthsOf, totalsView } from './day-view.ts';
import type { DeviceCalls, HostAnswer, MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate, KeyedCall } from './idempotency-gate.ts';
import { notFound } from './not-found.ts';
import { requireOwnDevice } from './own-device.ts';
import { pickTerminal } from './picked-terminal.ts';
import { newBatchClose, tellAcquirer } from './tell-acquirer.ts';

/** Who closes, and what it counts; a merchant's server counts nothing. */
type Counted = Pick<BatchClose, 'closedBy'> &
  Pick<DeviceReconciliationRequest, 'journalTotals' | 'externalTotals' | 'businessDate' | 'closedAt'>;

/**
 * POST /v1/reconciliation and /api/v1/terminal/reconciliation (specification: Reconciliation; decisions: Day close, EXTERNAL_RAIL, Settlements). One
 * commit closes the batch: key, settlement, the message for the acquirer, and the answer, which tells what is known by then. The acquirer is told
 * afterwards; whether it agrees is seen in the settlement. A close by the merchant's server does not reach the till, whose day goes on: the till's own close
 * is answered with all since its last one, and its settlement holds what is new.
 */
export function createCloseDay(
  deps: HostDeps,
  gate: IdempotencyGate,
): Pick<MerchantCalls, 'closeDay'> & Pick<DeviceCalls, 'closeOwnDay'> {
  const { store, log, businessDateOf } = deps;

  async function run(
    keyed: KeyedCall,
    terminal: TerminalRecord,
    request: { readonly closeDay: boolean },
    counted: Counted,
  ): Promise<HostAnswer> {
    const dateAt = (atMs: number) => businessDateOf(terminal.businessDay, atMs);
    if (!request.closeDay) {
      return await gate.atomically(keyed, (part) => dryRun(part, terminal, counted, dateAt(part.atMs)));
    }
    // Drawn before the commit: a trace number that is not used is skipped.
    const message = await newBatchClose(deps, terminal);
    const answer = await gate.atomically(keyed, async (part) => {
      const closedAtMs = await tillClosedAtMs(part, terminal, counted);
      const { settlement, counted: totals } = await close(part, terminal, counted, dateAt(closedAtMs));
      if (isExternalOnly(settlement.totals)) await settleAtOnce(part.unit, settlement);
      else await part.unit.addBatchClose({ ...message, settlementId: settlement.id });
      return await responseOf(part, { ...settlement, totals }, terminal, settlement.id);
    });
    if (answer.replayed) return answer;
    log.info('A day was closed.', { terminalId: terminal.terminalId });
    noteDates(terminal, counted, answer);
    await tellAcquirer(deps, { merchantId: terminal.merchantId, settlementId: answer.subjectId });
    return answer;
  }

  /** Another zone, cut-off or clock: whoever runs the host is told, and the till names it in its day. */
  function noteDates({ terminalId }: TerminalRecord, counted: Counted, answer: HostAnswer): void {
    const { businessDate } = JSON.parse(answer.body) as ReconciliationResponse;
    if (counted.businessDate === undefined || counted.businessDate === businessDate) return;
    const reason = `host ${businessDate}, terminal ${counted.businessDate}`;
    log.warn('A terminal has closed its day on another business date.', { terminalId, reason });
  }

  return {
    async closeDay(caller, call, terminalId, request) {
      const terminal = await pickTerminal(store.read, caller.merchantId, terminalId);
      const keyed = { caller, call, body: request, terminalId: terminal.terminalId };
      return await run(keyed, terminal, request, { closedBy: 'SERVER' });
    },
    async closeOwnDay(caller, call, request) {
      requireOwnDevice(caller, request);
      const terminal = await store.read.findTerminal(caller);
      if (terminal === undefined) throw notFound('terminal');
      return await run({ caller, call, body: request }, terminal, request, { ...request, closedBy: 'TILL' });
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
async function dryRun(
  part: AtomicWork,
  terminal: TerminalRef,
  counted: Counted,
  businessDate: string,
): Promise<ReconciliationResponse> {
  const { unit } = part;
  const totals = await (counted.closedBy === 'TILL' ? unit.tillTotals(terminal) : unit.openTotals(terminal));
  return await responseOf(part, { totals, differences: differencesOf(totals, counted), businessDate }, terminal);
}

/**
 * When the till has closed: it may tell of it long after (decisions: Day close). What it says is taken for a time between the till's last close
 * and now, since its clock may be wrong.
 */
async function tillClosedAtMs({ unit, atMs }: AtomicWork, terminal: TerminalRecord, counted: Counted): Promise<number> {
  if (counted.closedAt === undefined) return atMs;
  const { closedAtMs: earliestMs = terminal.createdAtMs } = (await unit.lastTillClose(terminal)) ?? {};
  return Math.min(Math.max(Date.parse(counted.closedAt), earliestMs), atMs);
}

/** @throws BridgeError DAY_CLOSE_BLOCKED with the list */
async function close(
  part: AtomicWork,
  terminal: TerminalRecord,
  counted: Counted,
  businessDate: string,
): Promise<Extract<CloseResult, { kind: 'CLOSED' }>> {
  const { unit, subjectId: settlementId, atMs } = part;
  const { merchantId, terminalId } = terminal;
  const judge = (totals: BatchTotals) => {
    const differences = differencesOf(totals, counted);
    return { status: differences.length === 0 ? ('PENDING' as const) : ('PARTIAL' as const), differences };
  };
  const told = counted.businessDate ?? businessDate;
  const dates = { businessDate, ...(told === businessDate ? {} : { terminalBusinessDate: told }) };
  const { closedBy } = counted;
  const result = await unit.closeBatch({ merchantId, terminalId, settlementId, closedBy, ...dates, judge, atMs });
  if (result.kind === 'BLOCKED') throw dayCloseBlocked(await blockersOf(unit, merchantId, result.blockers));
  return result;
}

/** Nothing of it is the acquirer's: what the terminal's own acquirer funds is settled there. */
async function settleAtOnce(unit: HostUnit, settlement: SettlementRecord): Promise<void> {
  if (settlement.status === 'PENDING') await unit.moveSettlement(settlement, 'SETTLED', {});
}

async function responseOf(
  { unit, atMs }: AtomicWork,
  { totals, differences, businessDate }: Pick<SettlementRecord, 'totals' | 'differences' | 'businessDate'>,
  terminal: TerminalRef,
  settlementId?: string,
): Promise<ReconciliationResponse> {
  const openPreAuths = await openPreAuthsOf(unit, terminal);
  const isPartial = differences.length > 0;
  return {
    status: isPartial ? 'PARTIAL' : 'SUCCESS',
    ...totalsView(totals),
    timestamp: isoOf(atMs),
    ...(businessDate === undefined ? {} : { businessDate }),
    ...(settlementId === undefined ? {} : { settlementId }),
    ...(isPartial ? { differences: [...differences], message: 'The host counts otherwise than the terminal.' } : {}),
    ...(openPreAuths.length === 0 ? {} : { openPreAuths }),
  };
}
