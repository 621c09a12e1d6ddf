import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** The console's smallest size. */
const viewport = { width: 1024, height: 768 };
const actionTimeoutMs = 20_000;

/** Nothing from the network but what a page asks for. */
export const quietBrowserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: quietBrowserArgs });
}

/** What a page has complained about: every error of a script, and every violation of the content security policy. */
export interface ConsoleWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

/** A window of its own (cookies, storage) at the console's address. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ConsoleWindow> {
  const context = await browser.newContext({ viewport, locale: 'en-GB', colorScheme: 'light', ...options });
  context.setDefaultTimeout(actionTimeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { context, page, complaints };
}

/** Types a PIN and signs in, as the ready administrator of a training till. */
export async function signIn(page: Page, pin = '0000'): Promise<void> {
  await page.getByLabel('PIN of Training').fill(pin);
  await page.keyboard.press('Enter');
}
