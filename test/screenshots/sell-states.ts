import { callConsole } from '../support/console-call.ts';
import { sellByPos } from '../support/console-pos.ts';
import type { State, Visit } from './visit.ts';

/** Longer than anybody takes to make a picture. */
const handSeconds = 600;

const holdCards = ({ shop }: Visit) => shop.control.send('POST', '/hand', { seconds: handSeconds });
const letCardsCome = ({ shop }: Visit) => shop.control.send('DELETE', '/hand');

async function charge({ page }: Visit, digits: string): Promise<void> {
  await page.keyboard.type(digits);
  await page.keyboard.press('Enter');
}

async function press({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
}

const result = ({ page }: Visit) => page.getByTestId('result').waitFor();

/** What Sell shows, one state after the other, each from the page as it opens. */
export const sellStates: readonly State[] = [
  { name: 'amount', show: ({ page }) => page.keyboard.type('1250') },
  {
    name: 'options',
    async show(visit) {
      await visit.page.keyboard.type('1250');
      await press(visit, visit.t('sell:options.open'));
      await visit.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'more',
    async show(visit) {
      await press(visit, visit.t('sell:more.open'));
      await visit.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'holds',
    async show(visit) {
      await press(visit, visit.t('sell:more.open'));
      await visit.page.getByRole('menuitem', { name: visit.t('sell:more.holds') }).click();
      await visit.page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'running',
    async show(visit) {
      await holdCards(visit);
      await charge(visit, '1250');
      await visit.page.getByText(visit.t('sell:step.waiting')).waitFor();
    },
    async leave(visit) {
      await letCardsCome(visit);
      await result(visit);
    },
  },
  {
    name: 'signature',
    async show(visit) {
      await holdCards(visit);
      await charge(visit, '3000');
      await visit.page.getByText(visit.t('sell:step.waiting')).waitFor();
      const { control } = visit.shop;
      await control.send('POST', '/card', { card: 'visa-signature' });
      await control.untilState(({ state }) => state === 'WAITING_FOR_CARD_REMOVAL');
      await control.send('DELETE', '/card');
      await visit.page.getByText(visit.t('sell:signature.question')).waitFor();
    },
    async leave(visit) {
      await letCardsCome(visit);
    },
  },
  {
    name: 'paid',
    async show(visit) {
      await charge(visit, '1250');
      await result(visit);
    },
  },
  {
    name: 'declined',
    async show(visit) {
      await charge(visit, '2651');
      await result(visit);
    },
  },
  {
    name: 'unknown',
    async show(visit) {
      await visit.shop.control.arm('decline-68');
      await charge(visit, '7400');
      await visit.page.getByText(visit.t('sell:result.unknown')).waitFor();
    },
    async leave({ page }) {
      const { tasks } = await callConsole(page, 'attention.list', {});
      const newest = tasks.at(-1);
      if (newest === undefined) return;
      const resolved = { transactionId: newest.subject.id, charged: false, evidence: 'The receipt of the terminal' };
      await callConsole(page, 'attention.resolve', resolved);
    },
  },
  {
    name: 'busy',
    async show(visit) {
      await holdCards(visit);
      void sellByPos(visit.shop, 800);
      await visit.shop.control.untilState(({ state }) => state === 'WAITING_FOR_CARD');
      await charge(visit, '1000');
      await result(visit);
    },
    async leave(visit) {
      await letCardsCome(visit);
      await visit.shop.control.untilState(({ state }) => state === 'IDLE');
    },
  },
];
