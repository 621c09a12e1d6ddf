import { readFileSync } from 'node:fs';
import {
  decodeReport,
  INITIAL_REPORT_STATE,
  type ReportItem,
  type ReportState,
} from '../../../drivers/framing/vivotech2-reports.ts';
import {
  decodeVivotech2,
  INITIAL_VIVOTECH2_STATE,
  type Vivotech2Item,
  type Vivotech2State,
} from '../../../drivers/framing/vivotech2-stream.ts';
import { joined } from '../../zvt/codec/support.ts';

export interface NeoFixtureItem {
  readonly id: string;
  readonly direction: 'host->reader' | 'reader->host';
  readonly hex: string;
  readonly reports?: readonly string[];
  readonly chunks?: readonly string[];
  readonly expect: Readonly<Record<string, unknown>>;
}

/** NEO 2 frames, reports and TLV (see test/fixtures/protocols/README.md). */
export const NEO_FIXTURE: readonly NeoFixtureItem[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocols/neo2.json', import.meta.url), 'utf8'),
);

/** Items that are one sound frame; the others are about what a receiver makes of a line. */
export const FRAME_ITEMS = NEO_FIXTURE.filter((item) => !('frames' in item.expect));
export const LINE_ITEMS = NEO_FIXTURE.filter((item) => 'frames' in item.expect);

export function receive(chunks: readonly Uint8Array[]): { items: readonly Vivotech2Item[]; state: Vivotech2State } {
  let state = INITIAL_VIVOTECH2_STATE;
  const items: Vivotech2Item[] = [];
  for (const chunk of chunks) {
    const step = decodeVivotech2(state, chunk);
    state = step.state;
    items.push(...step.items);
  }
  return { items: mergeNoise(items), state };
}

export function receiveReports(reports: readonly Uint8Array[]): { items: readonly ReportItem[]; state: ReportState } {
  let state = INITIAL_REPORT_STATE;
  const items: ReportItem[] = [];
  for (const report of reports) {
    const step = decodeReport(state, report);
    state = step.state;
    items.push(...step.items);
  }
  return { items, state };
}

/** Noise is reported with the read it came in; how reads were cut must not matter. */
function mergeNoise(items: readonly Vivotech2Item[]): readonly Vivotech2Item[] {
  const merged: Vivotech2Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    if (item.type === 'noise' && last?.type === 'noise') {
      merged[merged.length - 1] = { type: 'noise', bytes: joined(last.bytes, item.bytes) };
    } else merged.push(item);
  }
  return merged;
}
