// The built program as a real process that is killed: what an ECR17 terminal has told, or would have told, it tells again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endProgram, type Program, startVirtualTerminal, type VirtualTerminalReady } from '../../support/processes.ts';
import { controlClient, temporaryFolder } from '../support/running-terminal.ts';
import { connectEcr17Till } from './raw-ecr17-till.ts';
import { ask, TERMINAL } from './terminal-bench.ts';

const folder = temporaryFolder();
const programs: Program<VirtualTerminalReady>[] = [];

afterEach(async () => {
  for (const program of programs.splice(0)) await endProgram(program);
});
afterAll(() => folder.remove());

async function start(): Promise<Program<VirtualTerminalReady>> {
  const book = join(folder.path, 'killed.jsonl');
  const line = ['--protocol', 'ecr17', '--tcp', '0', '--terminal-id', TERMINAL];
  const program = await startVirtualTerminal([...line, '--think-ms', '0', '--book', book]);
  programs.push(program);
  return program;
}

describe('an ECR17 terminal that is killed', () => {
  it('has an approval and its result on the medium before the till can see them, and tells them at the next start', async () => {
    const first = await start();
    const till = await connectEcr17Till(first.ready.tcp ?? 0);
    till.send(ask.payment(1010));
    const told = await till.nextText();
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    till.end();
    const kinds = readFileSync(first.ready.book, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(['OPENED', 'AUTHORIZED', 'TOLD', 'FINAL']);

    const second = await start();
    const again = await connectEcr17Till(second.ready.tcp ?? 0);
    expect(await again.run(ask.lastResult())).toBe(told);
    expect((await again.run(ask.payment(500))).slice(59, 65)).toBe('000002');
    again.end();
    const { standing } = await controlClient(second.ready.controlUrl).book();
    expect(standing.charges).toMatchObject({ count: 2, sumMinor: 1510 });
  });
});
