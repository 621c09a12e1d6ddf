import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../drivers/virtual/cards.ts';
import { connectRawTill } from './support/raw-till.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from './support/running-terminal.ts';

const REGISTER = '06 00 06 00 00 00 1A 09 78';
const SALE = '06 01 0A 04 00 00 00 00 12 34 49 09 78';

const folder = temporaryFolder();
let terminal: TestTerminal;
let ends = 0;

beforeAll(async () => {
  const args = ['--tcp', '0', '--manual', '--think-ms', '0', '--book', join(folder.path, 'control.jsonl')];
  terminal = await startTestTerminal(args, {}, () => {
    ends++;
  });
});

afterAll(async () => {
  await terminal.stop();
  folder.remove();
});

describe('the control interface', () => {
  it('takes a sale by hand: card, PIN, removal, and the drawing follows', async () => {
    const { control } = terminal;
    const till = await connectRawTill(terminal.port);
    await till.run(REGISTER);
    const sale = till.run(SALE);
    await control.untilState(({ state }) => state === 'WAITING_FOR_CARD');
    await control.send('POST', '/card', { card: 'girocard-chip' });
    await control.untilState(({ state }) => state === 'WAITING_FOR_PIN');
    for (const key of ['1', '2', '3', '4', 'OK']) await control.send('POST', '/key', { key });
    const waiting = await control.untilState(({ state }) => state === 'WAITING_FOR_CARD_REMOVAL');
    expect(waiting).toMatchObject({
      card: 'girocard-chip',
      display: ['SALE', '12.34 EUR', 'Approved', 'Please remove card'],
    });
    await control.send('DELETE', '/card');
    expect((await sale).at(-1)).toBe('06 0F 00');
    expect((await control.book()).standing.charges).toMatchObject({
      count: 1,
      sumMinor: 1234,
      byScheme: { GIROCARD: { count: 1 } },
    });
    till.end();
  });

  it('tells its state with what never changes', async () => {
    expect(await terminal.control.state()).toMatchObject({
      terminalId: '29000001',
      currency: 'EUR',
      currencyExponent: 2,
      isManual: true,
      simulated: true,
      pid: process.pid,
    });
  });

  it('lists the cards without their full numbers', async () => {
    const { body } = await terminal.control.send('GET', '/cards');
    expect(body).toMatchObject({ cards: TEST_CARDS.map(({ id, title }) => ({ id, title })) });
    for (const { pan } of TEST_CARDS) expect(JSON.stringify(body)).not.toContain(pan);
  });

  it('lets a till find it through the software version', async () => {
    const till = await connectRawTill(terminal.port);
    const answer = (await till.run('05 01 03 00 00 00')).at(-1) ?? '';
    const text = String.fromCharCode(...answer.split(' ').map((pair) => Number.parseInt(pair, 16)));
    expect(text).toContain(`VIRTUAL 1.0 CTL ${new URL(terminal.ready.controlUrl).port}`);
    till.end();
  });

  it('streams every change to those who draw the terminal', async () => {
    const seen: string[] = [];
    const stream = get(`${terminal.ready.controlUrl}/events`, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => seen.push(text));
    });
    await expect.poll(() => seen.join('')).toContain('"armed":null');
    await terminal.control.arm('slow');
    await expect.poll(() => seen.join('')).toContain('event: state\ndata: {"state":"IDLE"');
    await expect.poll(() => seen.join('')).toContain('"armed":{"rule":"slow","times":1}');
    await terminal.control.send('DELETE', '/next');
    stream.destroy();
  });

  it('starts an end of day', async () => {
    expect((await terminal.control.send('POST', '/auto-close')).status).toBe(200);
    expect((await terminal.control.book()).entries.at(-1)).toMatchObject({ kind: 'CLOSED', startedBy: 'TERMINAL' });
  });

  it('refuses what it does not know, naming what it knows', async () => {
    const { control } = terminal;
    expect(await control.send('POST', '/next', { rule: 'decline-00' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('drop-before-host') },
    });
    expect((await control.arm('slow', 0)).status).toBe(400);
    expect((await control.arm('slow', 1.5)).status).toBe(400);
    expect(await control.send('POST', '/card', { card: 'nobody' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('visa-chip') },
    });
    expect((await control.send('POST', '/key', { key: 'ENTER' })).status).toBe(400);
    expect((await control.send('POST', '/fault', { fault: 'fire' })).status).toBe(400);
    expect((await control.send('GET', '/secrets')).status).toBe(404);
    expect((await control.send('PUT', '/card')).status).toBe(405);
  });

  it('is closed to web pages: foreign Host, any Origin, bodies that are not declared as JSON', async () => {
    const { control } = terminal;
    expect((await control.send('GET', '/state', undefined, { host: 'evil.example' })).status).toBe(403);
    expect((await control.send('GET', '/state', undefined, { host: 'evil.example:80' })).status).toBe(403);
    expect((await control.send('GET', '/book', undefined, { origin: 'http://127.0.0.1:8443' })).status).toBe(403);
    expect((await control.send('GET', '/events', undefined, { origin: 'null' })).status).toBe(403);
    expect((await control.send('POST', '/stop', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect(
      (await control.send('POST', '/stop', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(415);
    expect(ends).toBe(0);
  });

  it('refuses broken and large bodies', async () => {
    const { control } = terminal;
    expect((await control.send('POST', '/next', '{"rule":')).status).toBe(400);
    expect((await control.send('POST', '/next', '["slow"]')).status).toBe(400);
    expect((await control.send('POST', '/next', JSON.stringify({ rule: 'x'.repeat(5000) }))).status).toBe(413);
  });

  it('stops the terminal on request', async () => {
    expect((await terminal.control.send('POST', '/stop')).status).toBe(200);
    expect(ends).toBe(1);
  });
});

describe('the test cards', () => {
  it('have published numbers that pass the Luhn check, and one id each', () => {
    for (const { pan, id } of TEST_CARDS) expect(luhnSum(pan) % 10, id).toBe(0);
    expect(new Set(TEST_CARDS.map(({ id }) => id)).size).toBe(TEST_CARDS.length);
  });

  it('cover the schemes, the ways of reading, and the ways of knowing the holder', () => {
    const all = (key: 'scheme' | 'entry' | 'verification') => new Set(TEST_CARDS.map((card) => card[key]));
    expect(all('scheme')).toEqual(new Set(['VISA', 'MASTERCARD', 'AMEX', 'GIROCARD']));
    expect(all('entry')).toEqual(new Set(['CONTACT', 'CONTACTLESS', 'MAGSTRIPE']));
    expect(all('verification')).toEqual(new Set(['PIN', 'PIN_ABOVE_LIMIT', 'SIGNATURE', 'DEVICE', 'NONE']));
  });
});

function luhnSum(pan: string): number {
  return [...pan].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}
