import { describe, expect, test } from 'vitest';
import { encodeVivotech2Frame } from '../../../drivers/framing/vivotech2-frame.ts';
import { encodeReports } from '../../../drivers/framing/vivotech2-reports.ts';
import { bytesOf, hexOf } from '../../zvt/codec/support.ts';
import { FRAME_ITEMS, LINE_ITEMS, NEO_FIXTURE, receive, receiveReports } from './fixture.ts';
import { checkAll, decodeItem, encodeDecoded, factsOf, readItem } from './fixture-checks.ts';

/** Frames whose data are filler: the frame counts, its content is none. */
const FILLED = ['hid-host-64'];

/** Frames whose CRC came in the other order than the guide prescribes. */
const OTHER_ORDER = [
  'ping-other-order-msb',
  'start-contact-msb',
  'authenticate-msb',
  'apply-approve-msb',
  'apply-decline-msb',
  'lcd-msb',
];

describe('the NEO 2 fixture', () => {
  test('has 106 items, 97 of them single frames, each under its own name', () => {
    expect(NEO_FIXTURE).toHaveLength(106);
    expect([FRAME_ITEMS.length, LINE_ITEMS.length]).toEqual([97, 9]);
    expect(new Set(NEO_FIXTURE.map(({ id }) => id)).size).toBe(106);
  });

  test.each(FRAME_ITEMS)('$id decodes to everything it is expected to say', (item) => {
    expect(checkAll(factsOf(item), Object.keys(item.expect))).toEqual(item.expect);
  });

  test('an expectation nobody checks is an error', () => {
    const [item] = FRAME_ITEMS;
    if (item === undefined) throw new Error('The fixture is empty');
    expect(() => checkAll(factsOf(item), ['somethingNew'])).toThrow('Nothing checks "somethingNew"');
  });

  test.each(FRAME_ITEMS)('$id is encoded byte for byte as it came', (item) => {
    const { frame, crcOrder, decoded } = factsOf(item);
    expect(hexOf(encodeVivotech2Frame(frame, crcOrder))).toBe(item.hex);
    const encoded = encodeDecoded(item, decoded, crcOrder);
    expect(encoded === undefined).toBe(FILLED.includes(item.id));
    if (encoded !== undefined) expect(hexOf(encoded)).toBe(item.hex);
  });

  test('is encoded with the CRC in the order the guide prescribes, unless the other one is asked for', () => {
    const others = FRAME_ITEMS.filter((item) => {
      const encoded = encodeDecoded(item, factsOf(item).decoded);
      return encoded !== undefined && hexOf(encoded) !== item.hex;
    });
    expect(others.map(({ id }) => id)).toEqual(OTHER_ORDER);
  });

  test.each(FRAME_ITEMS.filter(({ reports }) => reports !== undefined))('$id travels in its reports', (item) => {
    expect(encodeReports(bytesOf(item.hex)).map(hexOf)).toEqual(item.reports);
    expect(receiveReports((item.reports ?? []).map(bytesOf)).items).toEqual([{ type: 'frame', ...readItem(item) }]);
  });

  test.each(LINE_ITEMS)('$id: a receiver sees what it should', (item) => {
    const items =
      item.reports === undefined
        ? receive((item.chunks ?? [item.hex]).map(bytesOf)).items
        : receiveReports(item.reports.map(bytesOf)).items;
    const frames = items.flatMap((one) =>
      one.type === 'frame' ? [encodeVivotech2Frame(one.frame, one.crcOrder)] : [],
    );
    const noise = items.flatMap((one) => (one.type === 'noise' ? [hexOf(one.bytes)] : []));
    const faults = items.flatMap((one) => (one.type === 'fault' ? [one.reason.replace('bad-', '')] : []));
    const pending = item.reports === undefined && receive([bytesOf(item.hex)]).state.pending.length > 0;
    const { ownReading, ...expected } = item.expect;
    expect({
      frames: frames.map(hexOf),
      ...(noise.length === 0 ? {} : { noise: noise.join(' ') }),
      ...('error' in expected ? { error: faults.join() } : {}),
      ...(pending ? { pending } : {}),
    }).toEqual(expected);
    expect(ownReading === undefined || item.id === 'hid-1-inside').toBe(true);
  });

  test.each(FRAME_ITEMS.filter(({ expect: { attribution } }) => attribution !== undefined))(
    '$id: card data in the clear are refused where they must be encrypted, and only there',
    (item) => {
      const decoded = decodeItem(item, readItem(item).frame, { encryptionExpected: 'ALWAYS' });
      if (item.id !== 'start-reply-plain') expect(decoded.type).toBe('transaction');
      else expect(decoded).toEqual({ type: 'refused', reason: 'CLEAR_CARD_DATA', command: 0x60, status: 0, tag: '5A' });
    },
  );

  test('holds nothing that is malformed but its filler', () => {
    const malformed = FRAME_ITEMS.filter((item) => factsOf(item).decoded.type === 'malformed');
    expect(malformed.map(({ id }) => id)).toEqual(FILLED);
  });
});
