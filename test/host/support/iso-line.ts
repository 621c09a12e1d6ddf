import type { Log } from '../../../app/ports/log.ts';
import { createIso8583Acquirer, type Iso8583Settings } from '../../../host/acquirers/iso8583/iso8583-acquirer.ts';
import type { Acquirer, LateAnswer, MessageTrace } from '../../../host/ports/acquirer.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { createTraces } from './acquirer-messages.ts';
import { hexOf, openScriptedAcquirer, type ScriptedAcquirer } from './scripted-acquirer.ts';
import { until } from './until.ts';

/** Fields 7, 11 and 70; the answer has 39, too. */
export const networkBitmap = '82 20 00 00 00 00 00 00 04 00 00 00 00 00 00 00';
export const networkAnswerBitmap = '82 20 00 00 02 00 00 00 04 00 00 00 00 00 00 00';

export interface IsoLine {
  readonly acquirer: Acquirer;
  readonly scripted: ScriptedAcquirer;
  readonly clock: ManualClock;
  readonly trace: () => MessageTrace;
  readonly late: readonly LateAnswer[];
  /** Everything that was logged, as text. */
  logged(): string;
  /** Answers the sign-on with this trace number of the network's own. */
  signOn(stan?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Our ISO 8583 acquirer on a clock that stands still, in front of a scripted one, over a real socket. */
export async function openIsoLine(settings: Partial<Iso8583Settings> = {}): Promise<IsoLine> {
  const scripted = await openScriptedAcquirer();
  const clock = createManualClock('2026-11-28T11:15:00.000Z');
  const lines: string[] = [];
  const write = (message: string, fields: unknown) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const acquirer = createIso8583Acquirer(
    { host: '127.0.0.1', port: scripted.port },
    { acquirerId: '123456', ...settings },
    { clock, log },
  );
  const late: LateAnswer[] = [];
  acquirer.onLateAnswer((told) => late.push(told));
  await acquirer.start();
  return {
    acquirer,
    scripted,
    clock,
    trace: createTraces(),
    late,
    logged: () => lines.join('\n'),
    async signOn(stan = '000001') {
      const asked = await scripted.next();
      const time = asked.slice(40, 60);
      if (!asked.startsWith(hexOf(`"0800" ${networkBitmap}`)) || !asked.endsWith(hexOf(`"${stan}" "001"`)))
        throw new Error(`no sign-on ${stan}: ${asked}`);
      scripted.say(`"0810" ${networkAnswerBitmap} ${time} "${stan}" "00" "001"`);
      await until(() => acquirer.isReady());
    },
    async stop() {
      const stopping = acquirer.stop();
      await scripted.close();
      await stopping;
    },
  };
}
