// The Host page of a training till: the tip configuration in force, and what the merchant's server asks for as it comes.
import { afterAll, afterEach, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { endProgram, type Program, startProgram, temporaryFolder } from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: Readonly<Record<'merchantId' | 'terminalId' | 'secretKey' | 'deviceToken', string>>;
}

const PROGRAMS_MS = 180_000;
const folder = temporaryFolder();
const shops = createShops();
let host: Program<HostReady> | undefined;
afterEach(() => shops.close());
afterAll(async () => {
  await shops.end();
  await endProgram(host);
  folder.remove();
});

async function startHost(): Promise<HostReady> {
  host = await startProgram<HostReady>('host/main', ['--port', '0', '--data-dir', folder.path, '--demo']);
  return host.ready;
}

/** As the merchant's server, with its secret key. */
async function ask({ baseUrl, demo }: HostReady, method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'x-api-key': demo.secretKey,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

const tips = {
  enabled: true,
  presetBasisPoints: [500, 1250],
  allowCustomAmount: true,
  postAuthAdjustEnabled: false,
  maxAmountMinor: 5_000,
  maxBasisPoints: 2_500,
  fixedAmountMinor: 100,
  fixedAmountThresholdMinor: 1_000,
};

it(
  'the host page tells the tips in force, and what the shop’s server asks for as it comes',
  async () => {
    const ready = await startHost();
    const { merchantId, terminalId, deviceToken } = ready.demo;
    process.env.TILL_DEVICE_TOKEN = deviceToken;
    const shop = await shops.open({ till: ['--training', '--host', ready.baseUrl] });
    delete process.env.TILL_DEVICE_TOKEN;
    const { page } = shop;
    await signIn(page);
    await page.getByRole('link', { name: /Host$/ }).click();
    const main = page.getByRole('main');
    await main.getByText('Connected', { exact: true }).waitFor();
    await main.getByText('not asked for').waitFor();
    await ask(ready, 'PUT', `/v1/staff/merchants/${merchantId}/terminal-tip-config`, tips);
    await main.getByRole('button', { name: 'Check now' }).click();
    await main.getByText('5% · 12.5% · €1.00 below €10.00 · any amount · up to 25% and €50.00 · version 1').waitFor();
    const title = main.getByRole('heading', { name: 'Asked for by the shop’s server' });
    expect(await title.count()).toBe(0);
    const order = { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 3_300, currencyCode: 'EUR' };
    await ask(ready, 'POST', '/v1/terminal/payment-sessions', order);
    const row = main.getByRole('listitem').filter({ hasText: 'Sale · €33.00' });
    // The simulated customer takes the first tip that is offered.
    await row.getByText('Approved').waitFor({ timeout: 90_000 });
    await row.getByText('the host has not been told yet').waitFor({ state: 'detached' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page)).toEqual([]);
    }
    await row.getByRole('button', { name: 'Show payment' }).click();
    await page.getByRole('dialog').getByText('€34.65').first().waitFor();
    expect(shop.complaints).toEqual([]);
  },
  PROGRAMS_MS,
);
