import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptTraces } from '../../app/logs/bundle/trace-facts.ts';
import { wireTracesFile } from '../../app/logs/wire-traces.ts';
import type { TracedMessage } from '../../app/ports/wire-traces.ts';
import { traceMessage as traceCaisseAp } from '../../drivers/caisse-ap/codec/trace.ts';
import { traceMessage as traceEcr17 } from '../../drivers/ecr17/codec/trace.ts';
import { traceMessage as traceZvt } from '../../drivers/zvt/codec/trace.ts';
import { bytesOf } from '../support/hex.ts';
import { vector } from '../support/vectors.ts';

/** The text of an ECR17 message, without marks and check byte. */
const ecr17 = (id: string) => vector(id).slice(1, -2);
const head = { sequence: 1, at: '2026-11-28T03:00:00.000Z', terminalId: 'T1' };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function kept(traces: readonly object[]): readonly TracedMessage[] {
  const path = join(folder, wireTracesFile);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, traces.map((trace) => `${JSON.stringify({ ...head, ...trace })}\n`).join(''));
  const lines = keptTraces(folder).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as TracedMessage);
}

describe('the traces in a support bundle', () => {
  it('are those that the drivers leave, whole', () => {
    const traces = [
      traceZvt('TO_TERMINAL', bytesOf('06 01 0A 04 00 00 00 00 12 34 49 09 78')),
      traceCaisseAp('TO_TERMINAL', vector('sale-1000')),
      traceCaisseAp('FROM_TERMINAL', vector('reply-done')),
      traceCaisseAp('FROM_TERMINAL', vector('cut-in-value')),
      traceEcr17('TO_TERMINAL', ecr17('payment-extended')),
      traceEcr17('TO_TERMINAL', ecr17('ecr-print-on')),
      traceEcr17('FROM_TERMINAL', ecr17('own-reply-extended-paid')),
      traceEcr17('FROM_TERMINAL', ecr17('reply-close-ok')),
      traceEcr17('FROM_TERMINAL', ecr17('reply-status')),
    ];
    const lines = kept(traces);
    expect(lines).toEqual(traces.map((trace) => expect.objectContaining(trace)));
    expect(lines.map(({ name }) => name)).toEqual([
      '0601 authorization',
      'CD00 sale request',
      'AE10 reply',
      'not readable',
      'X extended payment',
      'E receipts',
      'E payment reply',
      'C close reply',
      's status reply',
    ]);
    expect(JSON.stringify(lines.slice(4).map(({ fields }) => fields))).not.toMatch(/[0-9]{10}/);
  });

  it('have nothing in them that a driver does not leave', () => {
    const message = traceCaisseAp('FROM_TERMINAL', vector('reply-done'));
    expect(kept([{ ...message, name: 'card 4111111111111111' }])).toEqual([]);
    const [line] = kept([
      {
        ...message,
        fields: [
          { tag: 'AA', shown: '34313131313131313131313131313131' },
          { tag: 'a name', hiddenBytes: 3 },
          { tag: 'AE', shown: '3130', text: 'more' },
        ],
      },
    ]);
    expect(line?.fields).toEqual([{ tag: 'AE', shown: '3130' }]);
  });
});
