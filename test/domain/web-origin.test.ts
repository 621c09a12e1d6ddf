import { describe, expect, it } from 'vitest';
import { readOrigin } from '../../app/domain/web-origin.ts';

describe('an origin that a person types', () => {
  it.each([
    ['https://pos.example', 'https://pos.example'],
    [' https://POS.Example/ ', 'https://pos.example'],
    ['https://pos.example:443', 'https://pos.example'],
    ['https://pos.example:8443', 'https://pos.example:8443'],
    ['https://10.0.0.5', 'https://10.0.0.5'],
    ['https://[2001:db8::1]:9000', 'https://[2001:db8::1]:9000'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://localhost:80', 'http://localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('%j is %s, as a browser sends it', (text, origin) => {
    expect(readOrigin(text)).toEqual({ origin });
  });

  it.each([
    ['https://*.example', 'WILDCARD'],
    ['*', 'WILDCARD'],
    ['null', 'SCHEME'],
    ['pos.example', 'SCHEME'],
    ['file:///home', 'SCHEME'],
    ['ftp://pos.example', 'SCHEME'],
    ['http://pos.example', 'NOT_SECURE'],
    ['http://192.168.1.20', 'NOT_SECURE'],
    ['http://localhost.evil.example', 'NOT_SECURE'],
    ['https://pos.example/till', 'PATH'],
    ['https://pos.example?x', 'PATH'],
    ['https://', 'HOST'],
    ['https://user@pos.example', 'HOST'],
    ['https://pos.example:99999', 'HOST'],
    ['https://pos.example:0', 'HOST'],
    ['https://pos example', 'HOST'],
    ['https://pös.example', 'HOST'],
    ['https://-pos.example', 'HOST'],
  ])('%j is refused: %s', (text, problem) => {
    expect(readOrigin(text)).toEqual({ problem });
  });

  it('comes out as the URL standard reads it', () => {
    for (const text of ['https://POS.example:443/', 'http://LOCALHOST:5173', 'https://pos.example:08443']) {
      expect(readOrigin(text)).toEqual({ origin: new URL(text).origin });
    }
  });
});
