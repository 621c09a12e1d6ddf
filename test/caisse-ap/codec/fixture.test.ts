import { describe, expect, it } from 'vitest';
import type { CaisseApReply, CaisseApRequest, Malformed } from '../../../drivers/caisse-ap/codec/message-types.ts';
import { decodeReply, encodeReply } from '../../../drivers/caisse-ap/codec/replies.ts';
import { decodeRequest, encodeRequest } from '../../../drivers/caisse-ap/codec/requests.ts';
import { bytesOf, hexOf } from '../../support/hex.ts';
import { CAISSE_AP_FIXTURE, type FixtureItem } from './fixture.ts';
import { checks, JUDGED_KEYS } from './fixture-checks.ts';

const decoded = (item: FixtureItem): CaisseApReply | CaisseApRequest | Malformed =>
  item.direction === 'pt->ecr' ? decodeReply(bytesOf(item.hex)) : decodeRequest(bytesOf(item.hex));

describe('a Caisse-AP message of the fixture', () => {
  it('stands there with all that it must have', () => {
    expect(CAISSE_AP_FIXTURE).toHaveLength(41);
    for (const { hex, text, chunks } of CAISSE_AP_FIXTURE) {
      expect(hex).toBe(hexOf(Uint8Array.from(text, (character) => character.charCodeAt(0))));
      if (chunks !== undefined) expect(chunks.join(' ')).toBe(hex);
    }
  });

  it.each(CAISSE_AP_FIXTURE.map((item) => [item.id, item] as const))('%s reads as it says', (_id, item) => {
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = { ...item.expect };
    for (const key of Object.keys(expected)) {
      if (JUDGED_KEYS.has(key)) {
        delete expected[key];
        continue;
      }
      const check = checks[key];
      if (check === undefined) throw new Error(`nothing checks ${key}`);
      found[key] = check(item, bytesOf(item.hex), decoded(item));
    }
    expect(found).toEqual(expected);
    expect(Object.keys(item.expect).length).toBeGreaterThan(0);
  });

  const readable = CAISSE_AP_FIXTURE.filter((item) => decoded(item).type !== 'malformed');

  it.each(readable.map((item) => [item.id, item] as const))('%s is written again byte for byte', (_id, item) => {
    const message = decoded(item);
    if (message.type === 'malformed') throw new Error('not readable');
    const bytes = message.type === 'reply' ? encodeReply(message) : encodeRequest(message);
    expect(hexOf(bytes)).toBe(item.hex);
  });

  it('of which most can be read', () => {
    expect(readable.length).toBe(31);
  });
});
