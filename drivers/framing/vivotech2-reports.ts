// NEO 2 frames over USB HID (guide 80139403-002, chapter 2.8): reports of 64 bytes, their id first. 1 holds a whole frame; 2 its beginning,
// 3 what is in the middle, 4 its end. What a frame leaves free of its last report is zero.
import { concatBytes } from './bytes.ts';
import { MAX_VIVOTECH2_FRAME_BYTES, type ReadFrame, readFrame, readFrameLayout } from './vivotech2-frame.ts';

/** A report with its id. */
export const HID_REPORT_BYTES = 64;
const PAYLOAD_BYTES = HID_REPORT_BYTES - 1;
const MAX_OPEN_BYTES = Math.ceil(MAX_VIVOTECH2_FRAME_BYTES / PAYLOAD_BYTES) * PAYLOAD_BYTES;

const WHOLE = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** Why a frame that had begun was given up. What it held is not told: it may be card data. */
type ReportFaultReason =
  /** its length does not fit the reports it came in, or it does not begin as a frame does */
  | 'length'
  /** the CRC fits in neither order */
  | 'bad-crc'
  /** a report 1 or 2 came before its end */
  | 'interrupted';

export type ReportItem =
  | ({ readonly type: 'frame' } & ReadFrame)
  | { readonly type: 'fault'; readonly reason: ReportFaultReason }
  /** a report of another id, a 3 or 4 that continues nothing, an empty or oversized one */
  | { readonly type: 'ignored-report'; readonly id: number | undefined };

/** The payloads of the frame whose last report has not come. A value: decoding never changes it. */
export interface ReportState {
  readonly open: Uint8Array | undefined;
}

interface Step {
  readonly state: ReportState;
  readonly items: readonly ReportItem[];
}

export const INITIAL_REPORT_STATE: ReportState = { open: undefined };

/** Cuts a frame into reports. */
export function encodeReports(frame: Uint8Array): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(frame.length / PAYLOAD_BYTES));
  return Array.from({ length: count }, (_, index) => {
    const report = new Uint8Array(HID_REPORT_BYTES);
    report[0] = reportId(index, count);
    report.set(frame.subarray(index * PAYLOAD_BYTES, (index + 1) * PAYLOAD_BYTES), 1);
    return report;
  });
}

/** Takes the next report, its id first. Never throws. */
export function decodeReport(state: ReportState, report: Uint8Array): Step {
  const [id] = report;
  const payload = report.slice(1);
  if (payload.length === 0 || payload.length > PAYLOAD_BYTES) return ignore(state, id);
  switch (id) {
    case WHOLE:
      return { state: INITIAL_REPORT_STATE, items: [...interrupted(state), readPayload(payload)] };
    case FIRST:
      return { state: { open: payload }, items: interrupted(state) };
    case MIDDLE:
    case LAST:
      return state.open === undefined ? ignore(state, id) : proceed(concatBytes(state.open, payload), id);
    default:
      return ignore(state, id);
  }
}

function proceed(open: Uint8Array, id: number): Step {
  if (id === LAST) return { state: INITIAL_REPORT_STATE, items: [readPayload(open)] };
  if (open.length < MAX_OPEN_BYTES) return { state: { open }, items: [] };
  return { state: INITIAL_REPORT_STATE, items: [{ type: 'fault', reason: 'length' }] };
}

function readPayload(payload: Uint8Array): ReportItem {
  const layout = readFrameLayout(payload);
  const fits =
    layout !== undefined &&
    layout.byteCount <= Math.min(payload.length, MAX_VIVOTECH2_FRAME_BYTES) &&
    layout.byteCount > payload.length - PAYLOAD_BYTES;
  if (!fits) return { type: 'fault', reason: 'length' };
  const read = readFrame(payload, layout);
  return read === undefined ? { type: 'fault', reason: 'bad-crc' } : { type: 'frame', ...read };
}

function interrupted({ open }: ReportState): readonly ReportItem[] {
  return open === undefined ? [] : [{ type: 'fault', reason: 'interrupted' }];
}

function ignore(state: ReportState, id: number | undefined): Step {
  return { state, items: [{ type: 'ignored-report', id }] };
}

function reportId(index: number, count: number): number {
  if (count === 1) return WHOLE;
  if (index === 0) return FIRST;
  return index === count - 1 ? LAST : MIDDLE;
}
