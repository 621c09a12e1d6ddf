import { signIn } from '../support/console-browser.ts';
import { callConsole } from '../support/console-call.ts';
import { partAddresses, railAddresses } from '../support/console-pages.ts';
import { sellByPos } from '../support/console-pos.ts';
import type { Shop, Shops } from '../support/console-shop.ts';
import { endProgram } from '../support/processes.ts';
import type { Camera } from './camera.ts';
import type { Look } from './looks.ts';
import { frameStates, pageStates } from './page-states.ts';
import { createVisit, type State, type Visit } from './visit.ts';

/** A window of the look's own at a shop's console, signed in as the shop's own window is. */
export async function visitAs(shops: Shops, shop: Shop, look: Look): Promise<{ visit: Visit; close(): Promise<void> }> {
  const browser = await shops.browser();
  const storageState = await shop.page.context().storageState();
  const context = await browser.newContext({ ...look.context, storageState, reducedMotion: 'reduce' });
  await context.addInitScript((language) => localStorage.setItem('console.language', language), look.language);
  const page = await context.newPage();
  await page.goto(`${new URL(shop.page.url()).origin}/`);
  await page.getByRole('main').waitFor();
  return { visit: createVisit(shop, page, look), close: () => context.close() };
}

/** Every page of the rail, its parts, and its states where the look wants them. */
export async function walkPages(visit: Visit, camera: Camera, extent: Look['extent'], prefix = ''): Promise<void> {
  const addresses = await railAddresses(visit.page);
  for (const address of addresses) {
    const name = `${prefix}${address.slice(1)}`;
    await camera.attempt(name, async () => {
      await visit.open(address);
      await camera.takeWhole(visit.page, name);
      // The first part is what the page opens with.
      for (const part of (await partAddresses(visit.page)).slice(1)) {
        await visit.open(part);
        await camera.takeWhole(visit.page, `${prefix}${part.slice(1).replaceAll('/', '-')}`);
      }
    });
    if (extent === 'ALL') await walkStates(visit, camera, address, pageStates[address] ?? []);
  }
  if (extent === 'ALL') await walkStates(visit, camera, addresses[0] ?? '/', frameStates, 'frame');
}

async function walkStates(
  visit: Visit,
  camera: Camera,
  address: string,
  states: readonly State[],
  name = address.slice(1),
): Promise<void> {
  for (const state of states) {
    await camera.attempt(`${name}-${state.name}`, async () => {
      await visit.open(address);
      try {
        await state.show(visit);
        await camera.take(visit.page, `${name}-${state.name}`);
      } finally {
        await state.leave?.(visit);
      }
    });
  }
}

/** The sign-in: who it is, and the PIN. Ends signed in as before. */
export async function walkSignIn({ page, t, standStill }: Visit, camera: Camera): Promise<void> {
  await callConsole(page, 'session.signOut', {});
  await page.reload();
  await camera.attempt('sign-in', async () => {
    const training = page.getByRole('button', { name: 'Training', exact: true });
    await training.waitFor();
    await camera.take(page, 'sign-in');
    await training.click();
    await camera.take(page, 'sign-in-pin');
  });
  await page.getByLabel(t('session:pinFor', { name: 'Training' })).fill('0000');
  await page.keyboard.press('Enter');
  await page.getByTestId('amount').waitFor();
  await standStill();
}

/** A till on its first day: pages without anything, a day that is closed, and the connection lost. */
export async function walkFirstDay(shops: Shops, look: Look, camera: Camera): Promise<void> {
  const shop = await shops.open();
  await signIn(shop.page);
  await shop.page.getByTestId('amount').waitFor();
  const { visit, close } = await visitAs(shops, shop, look);
  await walkPages(visit, camera, 'PAGES', 'empty-');
  for (const amount of [1250, 4800, 8000]) await sellByPos(shop, amount);
  await camera.attempt('day-close', () => closeDay(visit, camera));
  await camera.attempt('offline', async () => {
    await visit.open('/sell');
    await endProgram(shop.till);
    await visit.page.getByText(visit.t('common:offline.banner')).waitFor();
    await camera.take(visit.page, 'offline');
  });
  await close();
}

async function closeDay({ page, t, open }: Visit, camera: Camera): Promise<void> {
  await open('/day');
  const next = page.getByRole('button', { name: t('day:next') });
  await next.click();
  await page.getByTestId('net').first().waitFor();
  await camera.takeWhole(page, 'day-agreeing-totals');
  await next.click();
  await page.getByRole('button', { name: t('day:confirm.action') }).waitFor();
  await camera.take(page, 'day-confirm');
  await page.getByRole('button', { name: t('day:confirm.action') }).click();
  await page.getByRole('main').getByRole('article').waitFor();
  await camera.takeWhole(page, 'day-closed');
}

/** A till that takes real payments and has no staff yet. */
export async function walkFirstStart(shops: Shops, look: Look, camera: Camera): Promise<void> {
  const shop = await shops.open({ till: [] });
  const { visit, close } = await visitAs(shops, shop, look);
  await camera.attempt('first-administrator', async () => {
    await visit.page.getByLabel(visit.t('session:first.name')).waitFor();
    await camera.take(visit.page, 'first-administrator');
  });
  await close();
}
