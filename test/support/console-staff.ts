import type { Page } from 'playwright-core';
import type { ProcedureRequest } from '../../app/contract/console/procedures.ts';
import { callConsole } from './console-call.ts';

/** Adds a member of the staff as the administrator who is signed in at the page. @throws Error with the refusal */
export async function addStaff(page: Page, member: ProcedureRequest<'staff.create'>): Promise<void> {
  await callConsole(page, 'staff.create', member);
}

/** Signs out whoever is there, and somebody else in. */
export async function changeStaff(page: Page, name: string, pin: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: /\(/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel(`PIN of ${name}`).fill(pin);
  await page.keyboard.press('Enter');
}
