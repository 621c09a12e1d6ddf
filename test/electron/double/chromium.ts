import { type BrowserContext, chromium } from 'playwright-core';

let context: BrowserContext | undefined;

/** The Chromium that stands for Electron's. Its profile lies where Electron's would; the test speaks with it at a port of its own. */
export async function startChromium(profile: string): Promise<void> {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    viewport: { width: 1024, height: 768 },
    locale: 'en-GB',
    colorScheme: 'light',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
      `--remote-debugging-port=${process.env.DOUBLE_PORT ?? '0'}`,
    ],
  });
}

export function chromiumContext(): BrowserContext {
  if (context === undefined) throw new Error('a window was made before Electron was ready');
  return context;
}

export async function stopChromium(): Promise<void> {
  await context?.close();
}
