/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quietBrowserArgs } from '../support/console-browser.ts';
import { goodKey } from '../support/fake-till.ts';
import { createHarness, type Harness } from './server-harness.ts';

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const reboundName = 'rebound.example';

let harness: Harness;
let tillUrl: string;
let browser: Browser;
let attackerSite: Server;
let page: Page;

/** A web site of somebody else, on another port of this machine; its page does nothing by itself. */
async function startAttackerSite(): Promise<Server> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>attacker</title><body></body>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return site;
}

function portOf(site: Server): number {
  return (site.address() as AddressInfo).port;
}

beforeAll(async () => {
  harness = await createHarness();
  tillUrl = await harness.server.listen({ host: '127.0.0.1', port: 0 });
  attackerSite = await startAttackerSite();
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...quietBrowserArgs, `--host-resolver-rules=MAP ${reboundName} 127.0.0.1, MAP attacker.example 127.0.0.1`],
  });
});

afterAll(async () => {
  await browser?.close();
  attackerSite?.close();
  await harness?.server.close();
});

beforeEach(async () => {
  harness.till.calls.length = 0;
  await page?.close();
  page = await browser.newPage();
  await page.goto(`http://attacker.example:${portOf(attackerSite)}/`);
});

/** Every request that reached the till from a page is in its log; this waits for the one that was meant. */
function answeredStatuses(): (number | undefined)[] {
  return harness.lines.filter(({ message }) => message === 'answered').map(({ fields }) => fields.statusCode);
}

const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };

describe('a web page of another origin (promises: S1)', () => {
  it.each(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])(
    'cannot act by a form of %s, though the browser sends it',
    async (encoding) => {
      const before = answeredStatuses().length;
      await page.evaluate(
        ({ url, type, body }) => {
          const form = document.createElement('form');
          form.method = 'POST';
          form.enctype = type;
          form.action = `${url}/v1/transaction/sale`;
          const field = document.createElement('input');
          field.name = body.slice(0, -1);
          field.value = '}';
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        { url: tillUrl, type: encoding, body: JSON.stringify(sale) },
      );
      await page.waitForURL(/v1\/transaction\/sale/);

      expect(answeredStatuses().slice(before)).toEqual([403]);
      expect(await page.textContent('body')).toContain('ORIGIN_NOT_ALLOWED');
      expect(harness.till.calls).toEqual([]);
    },
  );

  it.each([
    ['no-cors with JSON as text/plain', { mode: 'no-cors', headers: { 'content-type': 'text/plain' } }],
    ['no-cors with the key', { mode: 'no-cors', headers: { 'x-api-key': goodKey } }],
    ['JSON, which asks first', { mode: 'cors', headers: { 'content-type': 'application/json' } }],
    ['JSON with the key', { mode: 'cors', headers: { 'content-type': 'application/json', 'x-api-key': goodKey } }],
    ['text/plain, which does not ask first', { mode: 'cors', headers: { 'content-type': 'text/plain' } }],
  ])('cannot act or read by fetch: %s', async (_, options) => {
    const outcome = await page.evaluate(
      async ({ url, body, init }) => {
        try {
          const answer = await fetch(`${url}/v1/transaction/sale`, { method: 'POST', body, ...(init as RequestInit) });
          return { type: answer.type, status: answer.status, text: await answer.text() };
        } catch (error) {
          return { failed: String(error) };
        }
      },
      { url: tillUrl, body: JSON.stringify(sale), init: options },
    );

    // An opaque answer has status 0 and an empty body for the page; a refused one fails.
    expect('failed' in outcome ? outcome.failed : outcome).toEqual(
      'failed' in outcome ? expect.stringContaining('TypeError') : { type: 'opaque', status: 0, text: '' },
    );
    expect(harness.till.calls).toEqual([]);
  });

  it.each(['/health', '/v1/meta', '/v1/transactions', '/openapi.json', '/docs'])('cannot read %s', async (path) => {
    const outcome = await page.evaluate(async (url) => {
      try {
        return await (await fetch(url)).text();
      } catch (error) {
        return String(error);
      }
    }, `${tillUrl}${path}`);

    expect(outcome).toContain('TypeError');
    expect(harness.till.calls).toEqual([]);
  });

  it('cannot load anything as image, script, style or frame', async () => {
    const loaded = await page.evaluate(async (url) => {
      const tryOne = (tag: 'img' | 'script' | 'link') =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag);
          element.onload = () => resolve(`${tag} loaded`);
          element.onerror = () => resolve('refused');
          if (element instanceof HTMLLinkElement) {
            element.rel = 'stylesheet';
            element.href = `${url}/docs`;
          } else element.src = `${url}/v1/transactions/last`;
          document.body.append(element);
        });
      return Promise.all([tryOne('img'), tryOne('script'), tryOne('link')]);
    }, tillUrl);

    expect(loaded).toEqual(['refused', 'refused', 'refused']);
    expect(harness.till.calls).toEqual([]);
  });

  it('cannot frame the documentation', async () => {
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = `${url}/docs`;
      document.body.append(frame);
      return new Promise((resolve) => {
        frame.onload = resolve;
      });
    }, tillUrl);

    expect(page.frames().map((frame) => frame.url())).not.toContain(`${tillUrl}/docs`);
  });

  it('cannot act by sendBeacon', async () => {
    const before = answeredStatuses().length;
    await page.evaluate(
      ({ url, body }) => navigator.sendBeacon(`${url}/v1/transaction/sale`, new Blob([body], { type: 'text/plain' })),
      { url: tillUrl, body: JSON.stringify(sale) },
    );
    await expect.poll(() => answeredStatuses().length, { timeout: 10_000 }).toBeGreaterThan(before);

    expect(answeredStatuses().slice(before)).toEqual([403]);
    expect(harness.till.calls).toEqual([]);
  });

  it('cannot open a session, not even with a key', async () => {
    const end = await page.evaluate(
      ({ url, key }) =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/session`);
          socket.onopen = () => {
            socket.send(JSON.stringify({ action: 'auth', token: key }));
            resolve('opened');
          };
          socket.onerror = () => resolve('refused');
        }),
      { url: tillUrl, key: goodKey },
    );

    expect(end).toBe('refused');
    expect(harness.app.websocketServer.clients.size).toBe(0);
    expect(harness.till.calls).toEqual([]);
  });

  it('cannot act from an opaque origin either', async () => {
    const outcome = await page.evaluate(
      ({ url, body, key }) =>
        new Promise<string>((resolve) => {
          window.onmessage = ({ data }) => resolve(String(data));
          const frame = document.createElement('iframe');
          frame.setAttribute('sandbox', 'allow-scripts');
          frame.srcdoc = `<script>
            fetch(${JSON.stringify(url)} + '/v1/transaction/sale', { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)}, headers: { 'x-api-key': ${JSON.stringify(key)} } })
              .then((answer) => answer.text()).catch(String).then((text) => parent.postMessage('read:' + text, '*'));
          </script>`;
          document.body.append(frame);
        }),
      { url: tillUrl, body: JSON.stringify(sale), key: goodKey },
    );

    // Nothing, or that the browser kept the answer from it.
    expect(['read:', 'read:TypeError: Failed to fetch']).toContain(outcome);
    expect(harness.till.calls).toEqual([]);
  });

  it('cannot act or read by rebinding its own name to this machine', async () => {
    const port = new URL(tillUrl).port;
    const response = await page.goto(`http://${reboundName}:${port}/health`);
    expect(response?.status()).toBe(403);
    const outcome = await page.evaluate(
      async ({ body, key }) => {
        const answer = await fetch('/v1/transaction/sale', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'x-api-key': key },
        }).catch(String);
        const socket = await new Promise<string>((resolve) => {
          const attempt = new WebSocket(`ws://${location.host}/v1/session`);
          attempt.onopen = () => resolve('opened');
          attempt.onerror = () => resolve('refused');
        });
        return { answer: typeof answer === 'string' ? answer : await answer.text(), socket };
      },
      { body: JSON.stringify(sale), key: goodKey },
    );

    expect(outcome.answer).toMatch(/HOST_NOT_ALLOWED|TypeError/);
    expect(outcome.socket).toBe('refused');
    expect(harness.till.calls).toEqual([]);
  });
});

describe('a web page of an allowed origin', () => {
  it('can act, read the answer and follow the events by a ticket', async () => {
    const allowed = await createHarness({ allowedOrigins: [`http://attacker.example:${portOf(attackerSite)}`] });
    const url = await allowed.server.listen({ host: '127.0.0.1', port: 0 });
    const outcome = await page.evaluate(
      async ({ base, body, key }) => {
        const headers = { 'content-type': 'application/json', 'x-api-key': key };
        const { ticket } = await (
          await fetch(`${base}/v1/session/ticket`, { method: 'POST', headers: { 'x-api-key': key } })
        ).json();
        const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/session?ticket=${ticket}`);
        await new Promise((resolve) => {
          socket.onopen = resolve;
        });
        const answer = await fetch(`${base}/v1/transaction/sale`, {
          method: 'POST',
          body,
          headers: { ...headers, 'idempotency-key': 'k-1' },
        });
        return { status: (await answer.json()).status, requestId: answer.headers.get('x-request-id') };
      },
      { base: url, body: JSON.stringify(sale), key: goodKey },
    );
    await allowed.server.close();

    expect(outcome.status).toBe('APPROVED');
    expect(outcome.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(allowed.till.calls.map(({ method }) => method)).toEqual(['run']);
  });
});

describe('the API page', () => {
  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 360, height: 740 }],
  ] as const)('in %s at %j loads nothing from elsewhere, breaks no policy and fits', async (colorScheme, viewport) => {
    const context = await browser.newContext({ colorScheme, viewport });
    const docs = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    docs.on('request', (request) => requested.push(request.url()));
    docs.on('console', (message) => complaints.push(message.text()));
    docs.on('pageerror', (error) => complaints.push(error.message));
    await docs.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective}`));
    });
    const response = await docs.goto(`${tillUrl}/docs`, { waitUntil: 'networkidle' });
    const widths = await docs.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    const directory = process.env.SCREENSHOT_DIR;
    if (directory !== undefined)
      await docs.screenshot({ path: `${directory}/docs-${colorScheme}-${viewport.width}.png` });

    expect(response?.status()).toBe(200);
    expect(requested).toEqual([`${tillUrl}/docs`]);
    expect(complaints).toEqual([]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    const text = (await docs.textContent('main')) ?? '';
    for (const word of ['/v1/transaction/sale', 'waiting_for_card', 'OUTCOME_UNKNOWN', 'curl'])
      expect(text).toContain(word);
    await context.close();
  });
});
