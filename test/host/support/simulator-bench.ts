import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatorAcquirer } from '../../../host/acquirers/simulator-acquirer.ts';
import type { Acquirer } from '../../../host/ports/acquirer.ts';
import type { BookSummary } from '../../../host/simulator/standing.ts';
import { type RunningSimulator, startSimulator } from '../../../host/simulator/start-simulator.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { realClock } from '../../support/zvt-clock.ts';
import { silentLog } from '../../support/zvt-terminal.ts';
import type { AcquirerBench } from '../acquirer-battery.ts';
import { createTraces } from './acquirer-messages.ts';
import { type SimulatorControl, simulatorControl } from './simulator-control.ts';
import { until } from './until.ts';

export interface SimulatorBench extends AcquirerBench {
  readonly control: SimulatorControl;
  readonly simulator: RunningSimulator;
  /** The simulator's own clock: slow answers come when it is moved. */
  readonly clock: ManualClock;
  summary(): Promise<BookSummary>;
  /** One more client, with a memory of its own. */
  connect(): Promise<Acquirer>;
}

export const SLOW_MS = 3000;

/** A client of ours in front of a simulator in this process, over a real socket. */
export async function openSimulatorBench(): Promise<SimulatorBench> {
  const folder = mkdtempSync(join(tmpdir(), 'acquirer-'));
  const clock = createManualClock('2026-11-28T11:15:00.000Z');
  const simulator = await startSimulator(
    { port: 0, controlPort: 0, bookPath: join(folder, 'book.jsonl'), slowMs: SLOW_MS },
    { clock, onEnd: () => {} },
  );
  const control = simulatorControl(simulator.ready.controlUrl);
  const acquirers: Acquirer[] = [];
  const connect = async () => {
    const acquirer = createSimulatorAcquirer(
      { host: '127.0.0.1', port: simulator.ready.port },
      { clock: realClock, log: silentLog },
    );
    acquirers.push(acquirer);
    await acquirer.start();
    await until(() => acquirer.isReady());
    return acquirer;
  };
  const acquirer = await connect();
  return {
    acquirer,
    trace: createTraces(),
    control,
    simulator,
    clock,
    summary: control.book,
    connect,
    decline: (code) => control.next({ rule: `decline-${code}` }),
    withhold: () => control.next({ rule: 'slow' }),
    release: () => clock.advance(SLOW_MS),
    tellWrongAmount: () => control.next({ rule: 'wrong-amount' }),
    async lineDown() {
      await control.fault('refuse');
      await until(() => !acquirer.isReady());
    },
    async lineUp() {
      await control.fault('accept');
      await until(() => acquirer.isReady());
    },
    async book() {
      const { standing, messages } = await control.book();
      const sum = (pick: (lane: BookSummary['standing'][number]) => number) =>
        standing.reduce((total, lane) => total + pick(lane), 0);
      return {
        heldMinor: sum(({ authorized }) => authorized.sumMinor),
        capturedMinor: sum(({ captured }) => captured.sumMinor),
        refundedMinor: sum(({ refunded }) => refunded.sumMinor),
        messages: Object.values(messages).reduce((total, count) => total + count, 0),
      };
    },
    async stop() {
      for (const each of acquirers) await each.stop();
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
