import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPos } from '../support/pos.ts';
import { endProgram, startProgram, startTill, startVirtualTerminal, type TillReady } from '../support/processes.ts';
import { openBareJournal } from './bare-commits.ts';
import { openDirectTerminal } from './direct-terminal.ts';
import { ms, percentile, type Report, timed } from './statistics.ts';

/** A till sells all day: its code is warm. */
const warmUps = 200;
const rounds = 300;
const commitsPerSale = 3;
const promisedRatio = 2;

/**
 * F1: what the till adds to a sale. A sale through the till (HTTP, journal, ZVT over TCP) is compared with the same payment asked of the same
 * kind of virtual terminal directly; the difference is the till's. The baseline beside it: one loopback HTTP echo and three bare
 * FULL commits of such rows.
 * The four are measured in turn, round by round, so that the machine's moods meet all of them.
 */
export async function saleOverhead(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bench-'));
  const forTill = await startVirtualTerminal(['--tcp', '0', '--think-ms', '0', '--book', join(folder, 'till.jsonl')]);
  const forDirect = await startVirtualTerminal([
    '--tcp',
    '0',
    '--think-ms',
    '0',
    '--book',
    join(folder, 'direct.jsonl'),
  ]);
  const till = await startTill([
    '--data-dir',
    join(folder, 'data'),
    '--training',
    '--terminal',
    `zvt+tcp://127.0.0.1:${forTill.ready.tcp}`,
  ]);
  const echo = await startProgram<{ url: string }>('test/bench/echo-server', []);
  const direct = await openDirectTerminal(forDirect.ready.tcp ?? 0);
  const bare = openBareJournal(join(folder, 'bare.db'));
  try {
    return report(await measure(till.ready, echo.ready.url, direct.pay, bare.commit));
  } finally {
    direct.close();
    bare.close();
    for (const program of [till, echo, forTill, forDirect]) await endProgram(program);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Samples {
  readonly sale: number[];
  readonly direct: number[];
  readonly echo: number[];
  readonly commit: number[];
}

async function measure(
  till: TillReady,
  echoUrl: string,
  payDirectly: (amountMinor: number) => Promise<void>,
  commit: (round: number) => void,
): Promise<Samples> {
  const pos = createPos(till.posUrl, till.posKey ?? '');
  const samples: Samples = { sale: [], direct: [], echo: [], commit: [] };
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const body = JSON.stringify({
      type: 'SALE',
      amount: 1000 + round * 100,
      currency: 'EUR',
      referenceId: `bench-${round}`,
    });
    const sale = await timed(async () => {
      const answer = await pos.post('/v1/transaction/sale', body);
      if (answer.body.status !== 'APPROVED')
        throw new Error(`a sale of the benchmark was not approved: ${answer.text}`);
    });
    const direct = await timed(() => payDirectly(1000 + round * 100));
    const echo = await timed(async () =>
      (await fetch(echoUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text(),
    );
    const commitMs = await timed(async () => commit(round));
    if (round < warmUps) continue;
    samples.sale.push(sale);
    samples.direct.push(direct);
    samples.echo.push(echo);
    samples.commit.push(commitMs);
  }
  return samples;
}

function report(samples: Samples): Report {
  const terminalMs = percentile(samples.direct, 50);
  const overhead = samples.sale.map((sample) => sample - terminalMs);
  const overheadMs = percentile(overhead, 50);
  const baselineMs = percentile(samples.echo, 50) + commitsPerSale * percentile(samples.commit, 50);
  const ratio = overheadMs / baselineMs;
  return {
    isKept: ratio <= promisedRatio,
    lines: [
      `F1 till overhead of a sale (${samples.sale.length} sales, in turn with their baselines)`,
      `  sale through the till          p50 ${ms(percentile(samples.sale, 50))}   p99 ${ms(percentile(samples.sale, 99))}`,
      `  same payment, terminal alone   p50 ${ms(terminalMs)}   p99 ${ms(percentile(samples.direct, 99))}`,
      `  till overhead                  p50 ${ms(overheadMs)}   p99 ${ms(percentile(overhead, 99))}   (promised p99 < 5 ms)`,
      `  baseline: HTTP echo            p50 ${ms(percentile(samples.echo, 50))}`,
      `  baseline: one FULL commit      p50 ${ms(percentile(samples.commit, 50))}`,
      `  overhead / (echo + ${commitsPerSale} commits)  ${ratio.toFixed(2)}   (promised ≤ ${promisedRatio})`,
    ],
  };
}
