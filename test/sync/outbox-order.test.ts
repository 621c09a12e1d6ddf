import { describe, expect, it } from 'vitest';
import type { OutboxItem, OutboxKind } from '../../app/ports/outbox.ts';
import { newOutboxItem } from '../../app/sync/outbox-item.ts';
import { createOutboxOrder } from '../../app/sync/outbox-order.ts';

const item = (kind: OutboxKind, transactionId: string, terminalId = 'T1'): OutboxItem =>
  newOutboxItem({ kind, transactionId, terminalId, body: {} }, '2026-11-27T09:00:00.000Z');

/** Names of those that may leave, when none of them is taken. */
function leaving(...items: readonly OutboxItem[]): string[] {
  const order = createOutboxOrder();
  return items.flatMap((one) => {
    const isFree = order.mayLeave(one);
    order.hold(one);
    return isFree ? [`${one.kind} ${one.transactionId}`] : [];
  });
}

describe('the order in which the host is told', () => {
  it('keeps what concerns one payment in its order, and nothing else', () => {
    expect(
      leaving(
        item('EXTERNAL_RECORD', 'a'),
        item('EXTERNAL_VOID', 'a'),
        item('EXTERNAL_RECORD', 'b'),
        item('CAPTURE', 'c'),
      ),
    ).toEqual(['EXTERNAL_RECORD a', 'EXTERNAL_RECORD b', 'CAPTURE c']);
  });

  it('closes a batch after all of its payments, and before the next one’s', () => {
    const day = [
      item('EXTERNAL_RECORD', 'a'),
      item('DAY_CLOSE', 'd1'),
      item('EXTERNAL_RECORD', 'b'),
      item('DAY_CLOSE', 'd2'),
    ];
    expect(leaving(...day)).toEqual(['EXTERNAL_RECORD a']);
    expect(leaving(...day.slice(1))).toEqual(['DAY_CLOSE d1']);
    expect(leaving(...day.slice(2))).toEqual(['EXTERNAL_RECORD b']);
    expect(leaving(...day.slice(3))).toEqual(['DAY_CLOSE d2']);
  });

  it('lets one terminal’s close not wait for another’s payments', () => {
    expect(leaving(item('EXTERNAL_RECORD', 'a', 'T2'), item('DAY_CLOSE', 'd1'))).toEqual([
      'EXTERNAL_RECORD a',
      'DAY_CLOSE d1',
    ]);
  });

  it('keeps nothing from taking money back', () => {
    expect(leaving(item('CAPTURE', 'a'), item('REVERSAL', 'a'))).toEqual(['CAPTURE a', 'REVERSAL a']);
  });
});
