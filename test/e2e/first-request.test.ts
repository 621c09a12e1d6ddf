import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type FirstRequest, firstRequestText } from '../../renderer/pages/integrations/first-request.ts';
import { endProgram, type Program, startTill, startVirtualTerminal, temporaryFolder } from '../support/processes.ts';
import { runText } from '../support/run-text.ts';
import { controlClient } from '../virtual/support/running-terminal.ts';

const folder = temporaryFolder();
const programs: Program<unknown>[] = [];
let opened = 0;

afterEach(async () => {
  for (const program of programs.splice(0).toReversed()) await endProgram(program);
});
afterAll(() => folder.remove());

/** A training till with its terminal, what a first request to it says, and the terminal's book. */
async function open() {
  opened += 1;
  const data = join(folder.path, `till-${opened}`);
  const terminal = await startVirtualTerminal(['--tcp', '0', '--think-ms', '0', '--book', `${data}.jsonl`]);
  programs.push(terminal);
  const address = `zvt+tcp://127.0.0.1:${terminal.ready.tcp}?password=000000&currency=EUR`;
  const till = await startTill(['--training', '--data-dir', data, '--terminal', address]);
  programs.push(till);
  const { posUrl, posKey = '', terminalId } = till.ready;
  const request: FirstRequest = {
    ...{ posUrl, apiKey: posKey, terminalId, currency: 'EUR', amountMinor: 137 },
    idempotencyKey: '0b9f1a1e-first-request',
  };
  const { book } = controlClient(terminal.ready.controlUrl);
  const charges = async () => {
    const { count, sumMinor } = (await book()).standing.charges;
    return { count, sumMinor };
  };
  return { request, charges };
}

const once = { count: 1, sumMinor: 137 };

describe('the first request, run exactly as it can be copied, charges the card once by the terminal’s book', () => {
  it('as curl, and run twice it still does', async () => {
    const { request, charges } = await open();
    const text = firstRequestText('curl', request);
    expect(JSON.parse(await runText('shell', text))).toMatchObject({ status: 'APPROVED', amount: 137 });
    expect(JSON.parse(await runText('shell', text))).toMatchObject({ status: 'APPROVED', amount: 137 });
    expect(await charges()).toEqual(once);
  });

  it('as JavaScript by fetch', async () => {
    const { request, charges } = await open();
    expect(await runText('node', firstRequestText('fetch', request))).toMatch(/^APPROVED/);
    expect(await charges()).toEqual(once);
  });

  it('as JavaScript by WebSocket', async () => {
    const { request, charges } = await open();
    const output = await runText('nodeWebSocket', firstRequestText('websocket', request));
    expect(output).toMatch(/^waiting_for_card/m);
    expect(output).toMatch(/^result/m);
    expect(await charges()).toEqual(once);
  });

  it('as Python', async () => {
    const { request, charges } = await open();
    expect(await runText('python', firstRequestText('python', request))).toMatch(/^APPROVED/);
    expect(await charges()).toEqual(once);
  });
});

describe('a refusal of the till', () => {
  it.each([
    ['fetch', 'node'],
    ['python', 'python'],
  ] as const)('is said by its code when the %s text is run with a wrong key', async (language, runner) => {
    const { request, charges } = await open();
    const text = firstRequestText(language, { ...request, apiKey: 'pos_wrong' });
    expect(await runText(runner, text)).toMatch(/^UNAUTHENTICATED/);
    expect(await charges()).toEqual({ count: 0, sumMinor: 0 });
  });
});
