import { sellStates } from './sell-states.ts';
import type { State, Visit } from './visit.ts';

const rows = ({ page }: Visit) => page.getByRole('listbox').getByRole('option');
const dialog = ({ page }: Visit) => page.getByRole('dialog');

/** Opens the newest transaction that a search finds. */
function detailOf(search: string): State['show'] {
  return async (visit) => {
    await visit.open(`/activity?${search}`);
    await rows(visit).first().click();
    await dialog(visit).getByText(visit.t('activity:timeline')).waitFor();
  };
}

function pressed(key: string): State['show'] {
  return async (visit) => {
    await visit.page
      .getByRole('main')
      .getByRole('button', { name: visit.t(key), exact: true })
      .first()
      .click();
    await visit.page.getByRole('dialog').waitFor();
  };
}

async function giveBack(visit: Visit): Promise<void> {
  await detailOf('type=SALE&q=order')(visit);
  await dialog(visit)
    .getByRole('button', { name: visit.t('activity:giveBack.action') })
    .click();
}

async function firstReport(visit: Visit): Promise<void> {
  await visit.open('/day/all');
  await visit.page.getByRole('main').getByRole('listitem').getByRole('button').first().click();
  await visit.page.getByRole('main').getByRole('article').waitFor();
}

/** States of the pages beyond how they open, by the address that the rail leads to. A page without any needs no entry. */
export const pageStates: Readonly<Record<string, readonly State[]>> = {
  '/sell': sellStates,
  '/activity': [
    { name: 'found', show: (visit) => visit.open('/activity?q=table-7') },
    { name: 'nothing-found', show: (visit) => visit.open('/activity?q=nothing-of-this-kind') },
    { name: 'detail', show: detailOf('type=SALE&q=order') },
    { name: 'detail-refund', show: detailOf('type=REFUND') },
    { name: 'detail-declined', show: detailOf('status=DECLINED') },
    { name: 'detail-unknown', show: detailOf('q=order-2026-0002003') },
    { name: 'give-back', show: giveBack },
    {
      name: 'give-back-part',
      async show(visit) {
        await giveBack(visit);
        await dialog(visit).getByText(visit.t('activity:giveBack.part'), { exact: true }).click();
        await dialog(visit)
          .getByLabel(visit.t('activity:giveBack.amount', { currency: 'EUR' }))
          .fill('5');
      },
    },
  ],
  '/attention': [
    {
      name: 'resolve',
      async show(visit) {
        const { page, t } = visit;
        await page
          .getByRole('button', { name: t('attention:action.resolve'), exact: true })
          .first()
          .click();
        await page.getByLabel(t('attention:resolve.notCharged')).check();
      },
    },
  ],
  '/day': [
    {
      name: 'totals',
      async show({ page, t }) {
        await page.getByRole('button', { name: t('day:next') }).click();
        await page.getByTestId('net').first().waitFor();
      },
    },
    { name: 'all', show: (visit) => visit.open('/day/all') },
    { name: 'z-report', show: firstReport },
    { name: 'schedule', show: pressed('day:schedule.change') },
  ],
  '/terminals': [{ name: 'add', show: pressed('terminals:add') }],
  '/integrations': [
    {
      name: 'new-key',
      async show({ page, t }) {
        await page
          .getByRole('main')
          .getByRole('button', { name: t('integrations:keys.rotate') })
          .first()
          .click();
        await page.getByRole('dialog').waitFor();
      },
    },
  ],
  '/settings': [
    { name: 'staff', show: pressed('settings:staff.add') },
    { name: 'printer', show: pressed('printing:settings.add') },
  ],
};

/** What is over every page, shown once over the first. */
export const frameStates: readonly State[] = [
  {
    name: 'shortcuts',
    async show({ page }) {
      await page.keyboard.press('?');
      await page.getByTestId('shortcuts').waitFor();
    },
  },
  {
    name: 'languages',
    async show({ page, t }) {
      await page.getByRole('button', { name: t('common:language') }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'staff',
    async show({ page }) {
      await page.getByRole('banner').getByRole('button', { name: /\(/ }).click();
      await page.getByRole('menu').waitFor();
    },
  },
];
