import { describe, expect, test } from 'vitest';
import { parseBmps } from '../../../drivers/zvt/codec/bmp.ts';
import type { ZvtCommand } from '../../../drivers/zvt/codec/command-types.ts';
import { decodeCommand, encodeCommand } from '../../../drivers/zvt/codec/commands.ts';
import type { ZvtMessage } from '../../../drivers/zvt/codec/message-types.ts';
import { decodeMessage, encodeMessage } from '../../../drivers/zvt/codec/messages.ts';
import { APDU_FIXTURE, type FixtureItem } from './fixture.ts';
import { contextOf } from './fixture-checks.ts';
import { bytesOf, hexOf } from './support.ts';

/** Each terminal has its own order of BMPs; ours is the result first, then by number. */
const OTHER_BMP_ORDER = [
  'portalum-status-tlv-1',
  'portalum-status-tlv-2',
  'portalum-status-timeout-fixed-length',
  'kotlin-completion-all',
  'kotlin-status-amount-first',
  'kotlinsim-auth-06',
  'kotlinsim-booktotal-03',
  'kotlinsim-preauth2-06',
  'kotlinsim-preauthrev-03',
  'kotlinsim-refund-06',
  'own-approved-typical',
  'own-approved-odd-pan',
  'own-approved-host-a0',
  'own-approved-all-bmps',
  'own-card-mag',
];
const NOT_SENT_LIKE_THIS: Readonly<Record<string, string>> = {
  'portalum-apdu-ext-1': 'one data byte in the extended length form: we send the shortest',
  'kotlin-len-254': 'filler: one BMP 127 times',
  'kotlin-len-300-aa': 'filler: one BMP 75 times',
  'own-tlv-beyond-end': 'a broken container is dropped',
};
/** Containers that hold more, or are nested otherwise, than one built from typed fields. */
const OTHER_CONTAINER: Readonly<Record<string, string>> = {
  'portalum-status-reversal': 'AID, CVM and technology outside 60 and 2F',
  'portalum-block-tss-full': 'last-line mark 8F, and tag 1F37, which has no typed field',
  'own-registration-charset-reply': 'tag 27, which has no typed field',
  'own-approved-type-256': 'tag 49, which has no typed field',
  'own-approved-all-bmps': 'tag 1F11, which has no typed field',
};

type Whole = { readonly item: FixtureItem; readonly message: ZvtMessage | ZvtCommand };

const WHOLE: readonly Whole[] = APDU_FIXTURE.flatMap((item) => {
  const bytes = bytesOf(item.hex);
  const message = item.direction === 'pt->ecr' ? decodeMessage(bytes, contextOf(item)) : decodeCommand(bytes);
  return message.type === 'malformed' ? [] : [{ item, message }];
});

function encodeAgain(item: FixtureItem, message: ZvtMessage | ZvtCommand): string {
  return hexOf(
    item.direction === 'pt->ecr'
      ? encodeMessage(message as ZvtMessage, contextOf(item))
      : encodeCommand(message as ZvtCommand),
  );
}

function withoutContainer<Message extends ZvtMessage | ZvtCommand>(message: Message): Message {
  if (!('tlv' in message)) return message;
  const { tlv: _tlv, ...typed } = message;
  return typed as Message;
}

const isAsWeSend = ({ item }: Whole) => !OTHER_BMP_ORDER.includes(item.id) && !(item.id in NOT_SENT_LIKE_THIS);

describe('messages encoded again from what was decoded', () => {
  test('cover all whole messages of the fixture', () => {
    expect(WHOLE.length).toBeGreaterThanOrEqual(264);
    const ids = WHOLE.map(({ item }) => item.id);
    for (const id of [...OTHER_BMP_ORDER, ...Object.keys(NOT_SENT_LIKE_THIS), ...Object.keys(OTHER_CONTAINER)]) {
      expect(ids).toContain(id);
    }
  });

  test.each(WHOLE.filter(isAsWeSend))('$item.id is the same byte for byte', ({ item, message }) => {
    expect(encodeAgain(item, message)).toBe(item.hex);
  });

  test.each(WHOLE.filter((one) => isAsWeSend(one) && !(one.item.id in OTHER_CONTAINER)))(
    '$item.id is the same with its container built from the typed fields',
    ({ item, message }) => {
      expect(encodeAgain(item, withoutContainer(message))).toBe(item.hex);
    },
  );

  test.each(WHOLE.filter(({ item }) => OTHER_BMP_ORDER.includes(item.id)))(
    '$item.id holds the same BMPs in another order',
    ({ item, message }) => {
      const again = encodeAgain(item, message);
      expect(again).not.toBe(item.hex);
      expect(sortedBmps(again)).toEqual(sortedBmps(item.hex));
    },
  );

  test.each(WHOLE.filter(({ item }) => item.id in NOT_SENT_LIKE_THIS))(
    '$item.id is never sent as it came',
    ({ item, message }) => {
      expect(encodeAgain(item, message)).not.toBe(item.hex);
    },
  );

  test.each(WHOLE.filter(({ item }) => item.id in OTHER_CONTAINER))(
    '$item.id needs the container as it came',
    ({ item, message }) => {
      expect(encodeAgain(item, withoutContainer(message))).not.toBe(item.hex);
    },
  );
});

function sortedBmps(hex: string): readonly string[] {
  return parseBmps(bytesOf(hex).subarray(3))
    .fields.map(({ bmp, value }) => `${bmp.toString(16)} ${hexOf(value)}`)
    .sort();
}
