import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { doctorTexts } from '../../app/contract/doctor-texts.ts';
import { createHarness, type Harness, type HarnessOptions } from './server-harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function start(options: HarnessOptions = {}) {
  harness = await createHarness(options);
  const url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
  const open = async (query: Record<string, string> = {}, language = 'en-GB,en;q=0.9') => {
    const answer = await fetch(`${url}/doctor?${new URLSearchParams(query)}`, {
      headers: { 'accept-language': language },
    });
    return { answer, text: await answer.text() };
  };
  return { ...harness, url, open };
}

const page = 'https://web-pos.example';

describe('the page of the browser doctor', () => {
  it('needs no key, and its policy lets it run its own script and style and nothing else', async () => {
    const { open } = await start();
    const { answer, text } = await open();
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const hashOf = (tag: string) => {
      const inner = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(inner).digest('base64')}'`;
    };
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashOf('style')}`,
      `script-src ${hashOf('script')}`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(text).not.toMatch(/ style=| on[a-z]+=|https?:\/\/[^"]*\.(js|css)/);
  });

  it('says whether an origin may use the till, from the moment it is allowed, and that nobody has tried yet', async () => {
    const { open, setAllowedOrigins, url } = await start();
    const before = await open({ origin: page });
    expect(before.text).toContain(`${page} may not use the till yet.`);
    expect(before.text).toContain('gets a no');
    expect(before.text).toContain('Have the operator allow it');
    expect(before.text).toContain('Not tried yet');
    await fetch(`${url}/health`, { headers: { origin: page } });
    expect((await open({ origin: page })).text).toContain('and refused.');
    setAllowedOrigins([page]);
    const after = await open({ origin: page });
    expect(after.text).toContain(`${page} may use the till.`);
    expect(after.text).toContain('A WebSocket from this page is taken.');
    expect(after.text).not.toContain('Have the operator allow it');
  });

  it('names another port and another host, but not who has the port', async () => {
    const { open, url } = await start();
    const { port } = new URL(url);
    const other = await open({ address: 'http://127.0.0.1:1' });
    expect(other.text).toContain(`Port 1 is not this till’s. Call port ${port} instead.`);
    expect(other.text).not.toContain('another program');
    expect((await open({ address: `http://till.example:${port}` })).text).toContain('does not answer under this name');
  });

  it('says what is wrong with what was typed, and shows it as text', async () => {
    const { open } = await start();
    const typed = '"><script>alert(1)</script>';
    const { answer, text } = await open({ origin: typed, address: typed });
    expect(answer.status).toBe(200);
    expect(text).toContain('Begin with https://');
    expect(text).not.toContain('<script>alert');
    expect((await open({ address: 'till' })).text).toContain('The address begins with http://');
  });

  it.each(Object.keys(doctorTexts))('speaks %s', async (language) => {
    const { open } = await start();
    const { text } = await open({}, `xx, ${language}-XX;q=0.8, en;q=0.5`);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(doctorTexts[language as keyof typeof doctorTexts].unkeyed);
  });

  it('is limited as every caller without a key is, its own tries with it, and then says that it could not try', async () => {
    const { open } = await start({ requestsPerSecond: 0.001, requestBurst: 2, allowedOrigins: [page] });
    expect((await open({ origin: page })).text).toContain('The till has too much to do to try this now.');
    const { answer } = await open({ origin: page });
    expect(answer.status).toBe(429);
  });

  it('takes no call of a page that is not allowed', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/doctor`, { headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
  });
});
