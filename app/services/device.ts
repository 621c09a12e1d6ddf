import type { InputRequest } from '../contract/device.ts';
import { BridgeError } from '../contract/errors.ts';
import { DEFAULT_INPUT_TIMEOUT_MS } from '../contract/limits.ts';
import type { TerminalOperation, TerminalStatus } from '../ports/terminal.ts';
import { timedSignal } from './deadline.ts';
import { withRequestId } from './end-transaction.ts';
import { type Engine, pickLane, requireRunning } from './engine.ts';
import { DEVICE_JOB_TIMEOUT_MS, PROBE_TIMEOUT_MS } from './engine-limits.ts';
import { holderOf, inProgress, type Lane } from './lane.ts';
import type { CallContext, Till } from './till.ts';

type Device = Pick<Till, 'health' | 'knownHealth' | 'display' | 'input' | 'print'>;

/** Health, display, input and print (decisions: Health, Device, display / input). */
export function createDevice(engine: Engine): Device {
  const { clock, journal } = engine.deps;

  /** Runs one job while nothing else uses the terminal. @throws BridgeError OPERATION_NOT_SUPPORTED, TRANSACTION_IN_PROGRESS, TERMINAL_BUSY */
  async function job<T>(
    context: CallContext,
    operation: TerminalOperation,
    timeoutMs: number,
    work: (lane: Lane, signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly lane: Lane; readonly result: T }> {
    requireRunning(engine);
    const lane = pickLane(engine, context);
    if (!lane.terminal.capabilities.operations.has(operation)) throw unsupported(operation);
    const holder = holderOf(lane, journal);
    if (holder !== undefined) throw inProgress(holder);
    if (lane.deviceJob !== undefined) throw new BridgeError('TERMINAL_BUSY', 'the terminal shows or asks something');
    const time = timedSignal(clock, timeoutMs, engine.stopping);
    const running = work(lane, time.signal).finally(() => {
      time.done();
      lane.deviceJob = undefined;
    });
    lane.deviceJob = running;
    return { lane, result: await running };
  }

  return {
    async health(context, opensLine) {
      const lane = pickLane(engine, context);
      return { terminalId: lane.terminalId, ...(await statusOf(lane, opensLine)), ...transactionFacts(lane) };
    },

    knownHealth(context) {
      const lane = pickLane(engine, context);
      return { terminalId: lane.terminalId, ...lane.terminal.status(), ...transactionFacts(lane) };
    },

    async display(context, request) {
      const { lane } = await job(context, 'DISPLAY', DEVICE_JOB_TIMEOUT_MS, ({ terminal }, signal) =>
        terminal.display(request, signal),
      );
      const event = { event: 'display_shown', lines: request.lines } as const;
      engine.events.emit(lane.terminalId, withRequestId(event, context.eventRequestId));
    },

    async input(context, request) {
      requireInputType(pickLane(engine, context), request);
      const timeoutMs = (request.timeoutMs ?? DEFAULT_INPUT_TIMEOUT_MS) + DEVICE_JOB_TIMEOUT_MS;
      const { lane, result } = await job(context, 'INPUT', timeoutMs, ({ terminal }, signal) =>
        terminal.input(request, signal),
      );
      engine.events.emit(lane.terminalId, withRequestId({ event: 'input_result', result }, context.eventRequestId));
      return result;
    },

    async print(context, request) {
      await job(context, 'PRINT', DEVICE_JOB_TIMEOUT_MS, ({ terminal }, signal) =>
        terminal.print(request.lines, signal),
      );
    },
  };

  async function statusOf(lane: Lane, opensLine?: boolean): Promise<TerminalStatus> {
    // A question in the middle of a payment could disturb it; what is known must do.
    if (holderOf(lane, journal) !== undefined || lane.deviceJob !== undefined) return lane.terminal.status();
    const time = timedSignal(clock, PROBE_TIMEOUT_MS, engine.stopping);
    try {
      return await lane.terminal.probe(time.signal, opensLine);
    } finally {
      time.done();
    }
  }

  function transactionFacts(lane: Lane): { currentTransactionId?: string; lastTransactionTime?: string } {
    const current = holderOf(lane, journal);
    const last = journal.lastTransaction(lane.terminalId);
    return {
      ...(current === undefined ? {} : { currentTransactionId: current }),
      ...(last === undefined ? {} : { lastTransactionTime: last.updatedAt }),
    };
  }
}

function requireInputType(lane: Lane, request: InputRequest): void {
  const { operations, inputTypes } = lane.terminal.capabilities;
  if (operations.has('INPUT') && inputTypes.has(request.inputType)) return;
  throw new BridgeError('OPERATION_NOT_SUPPORTED', `this terminal cannot ask for ${request.inputType}`, {
    field: 'inputType',
  });
}

function unsupported(operation: TerminalOperation): BridgeError {
  return new BridgeError('OPERATION_NOT_SUPPORTED', `this terminal cannot do ${operation}`);
}
