import { describe, expect, it } from 'vitest';
import { hostAccessOf } from '../../main/host-access.ts';
import { parseOptions } from '../../main/options.ts';

const environment = { TILL_DEVICE_TOKEN: 'dt_secret' };

describe('the host of the command line', () => {
  it('is named by an option, and its token by the environment', () => {
    expect(parseOptions(['--host', 'https://pay.example'])).toMatchObject({ host: 'https://pay.example' });
    const access = hostAccessOf('https://pay.example/', environment);
    expect(access.url).toBe('https://pay.example');
    expect(access.deviceToken.reveal()).toBe('dt_secret');
    expect(JSON.stringify(access)).not.toContain('dt_secret');
  });

  it.each([
    ['https://pay.example', {}, 'TILL_DEVICE_TOKEN'],
    ['https://pay.example', { TILL_DEVICE_TOKEN: '' }, 'TILL_DEVICE_TOKEN'],
    ['https://pay.example', { TILL_DEVICE_TOKEN: 'a token\n' }, 'TILL_DEVICE_TOKEN'],
    ['http://pay.example', environment, 'https://'],
    ['pay.example', environment, 'https://'],
  ])('%s with %j is refused in plain words, without the token', (url, given, part) => {
    const tried = () => hostAccessOf(url, given);
    expect(tried).toThrow(part);
    expect(tried).not.toThrow('dt_secret');
  });
});
