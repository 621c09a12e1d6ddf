import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeVivotech2Frame,
  MAX_VIVOTECH2_FRAME_BYTES,
  type ReadFrame,
} from '../../drivers/framing/vivotech2-frame.ts';
import {
  decodeReport,
  encodeReports,
  HID_REPORT_BYTES,
  INITIAL_REPORT_STATE,
  type ReportItem,
} from '../../drivers/framing/vivotech2-reports.ts';
import { FRAME_ITEMS, receiveReports } from '../neo2/codec/fixture.ts';
import { readItem } from '../neo2/codec/fixture-checks.ts';
import { bytesOf, SEED } from '../zvt/codec/support.ts';

const MAX_OPEN_BYTES = 24 * 63;
const framesOf = (items: readonly ReportItem[]): readonly ReadFrame[] =>
  items.flatMap((item) => (item.type === 'frame' ? [{ frame: item.frame, crcOrder: item.crcOrder }] : []));
const frameOf = (dataByteCount: number) =>
  encodeVivotech2Frame(
    { kind: 'message', command: 0x03, code: 0x00, data: new Uint8Array(dataByteCount).fill(0xa5) },
    'HIGH_FIRST',
  );
const PING_REPORT = encodeReports(
  encodeVivotech2Frame({ kind: 'message', command: 0x18, code: 0x00, data: new Uint8Array(0) }, 'HIGH_FIRST'),
);

describe('HID reports of a NEO 2 reader', () => {
  test.each(FRAME_ITEMS)('$id comes out of the reports it goes into, also joined and doubled', (item) => {
    const reports = encodeReports(bytesOf(item.hex));
    for (const report of reports) expect(report).toHaveLength(HID_REPORT_BYTES);
    const twice = receiveReports([...reports, ...reports]);
    expect(framesOf(twice.items)).toEqual([readItem(item), readItem(item)]);
    expect(twice.state).toEqual(INITIAL_REPORT_STATE);
  });

  test('carry a frame of every length, with the ids in their order', () => {
    for (let dataByteCount = 0; dataByteCount <= MAX_VIVOTECH2_FRAME_BYTES - 16; dataByteCount++) {
      const frame = frameOf(dataByteCount);
      const reports = encodeReports(frame);
      const ids = reports.map(([id]) => id).join('');
      expect(ids).toMatch(frame.length <= 63 ? /^1$/ : /^23*4$/);
      expect(framesOf(receiveReports(reports).items)).toHaveLength(1);
    }
  });

  test('with one report lost, doubled or swapped give no frame, and the next frame is taken', () => {
    const reports = encodeReports(frameOf(300));
    expect(reports.length).toBe(6);
    reports.forEach((report, index) => {
      const lost = reports.filter((_, other) => other !== index);
      const doubled = reports.flatMap((one) => (one === report ? [one, one] : [one]));
      for (const broken of index === 0 ? [lost] : [lost, doubled]) {
        // The end that comes twice is a frame and an orphan.
        const isDoubledEnd = broken === doubled && index === reports.length - 1;
        const { items } = receiveReports([...broken, ...PING_REPORT]);
        expect(framesOf(items)).toHaveLength(isDoubledEnd ? 2 : 1);
        expect(framesOf(items).at(-1)?.frame).toMatchObject({ command: 0x18 });
      }
    });
  });

  test('whose first report comes twice begin anew', () => {
    const [first, ...others] = encodeReports(frameOf(100));
    if (first === undefined) throw new Error('There is no report');
    const { items } = receiveReports([first, first, ...others]);
    expect(items.map((item) => (item.type === 'fault' ? item.reason : item.type))).toEqual(['interrupted', 'frame']);
  });

  test('shortened by the system below them or of a wrong size are no frame, and do no harm', () => {
    const reports = encodeReports(frameOf(100));
    for (let index = 0; index < reports.length; index++) {
      for (let length = 0; length < HID_REPORT_BYTES; length++) {
        const cut = reports.map((report, other) => (other === index ? report.subarray(0, length) : report));
        const isPaddingOnly = index === reports.length - 1 && length > 53;
        expect(framesOf(receiveReports(cut).items)).toHaveLength(isPaddingOnly ? 1 : 0);
        expect(framesOf(receiveReports([...cut, ...PING_REPORT]).items).at(-1)?.frame).toMatchObject({ command: 0x18 });
      }
    }
    const oversized = decodeReport(INITIAL_REPORT_STATE, new Uint8Array(HID_REPORT_BYTES + 1).fill(1));
    expect(oversized).toEqual({ state: INITIAL_REPORT_STATE, items: [{ type: 'ignored-report', id: 1 }] });
  });

  test('that never end are given up within the bound', () => {
    const [first] = encodeReports(frameOf(1400));
    let { state } = receiveReports(first === undefined ? [] : [first]);
    const faults: ReportItem[] = [];
    for (let count = 0; count < 60; count++) {
      const step = decodeReport(
        state,
        Uint8Array.from({ length: 64 }, (_, index) => (index === 0 ? 3 : 0xa5)),
      );
      state = step.state;
      faults.push(...step.items.filter(({ type }) => type === 'fault'));
      expect(state.open?.length ?? 0).toBeLessThan(MAX_OPEN_BYTES);
    }
    expect(faults).toEqual([{ type: 'fault', reason: 'length' }]);
  });

  test('of any content do not throw, keep the bound, and a whole frame after them is taken', () => {
    const anyReport = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.uint8Array({ maxLength: 70 }));
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 60 }), (list) => {
        const reports = list.map(([id, payload]) => Uint8Array.of(id, ...payload));
        const { items, state } = receiveReports([...reports, new Uint8Array(0)]);
        expect(state.open?.length ?? 0).toBeLessThan(MAX_OPEN_BYTES);
        expect(items.length).toBeLessThanOrEqual(2 * reports.length + 1);
        expect(framesOf(receiveReports([...reports, ...PING_REPORT]).items).at(-1)?.frame).toMatchObject({
          command: 0x18,
        });
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});
