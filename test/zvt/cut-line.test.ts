import { describe, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { settle } from '../support/zvt-clock.ts';
import { bytesOf, CARD_PART, captured, DONE, OK, payment } from '../support/zvt-peer.ts';
import { createRig, hooks, never, question, type Rig, sale } from '../support/zvt-terminal.ts';

const status = payment({ amount: 1234, more: CARD_PART });
const script = [OK, captured('portalum-interim-0a'), status, captured('kotlin-print-line'), DONE];
const wire = script.map((hex) => bytesOf(hex).length);
const total = wire.reduce((sum, length) => sum + length, 0);
const throughStatus = (wire[0] ?? 0) + (wire[1] ?? 0) + (wire[2] ?? 0);

/** What the engine had stored before the acknowledgement. */
const provisional: TerminalOutcome = {
  kind: 'APPROVED',
  card: {},
  chargedMinor: 1234,
  reference: { receipt: '0471', trace: '00000471' },
  receipts: [],
};

/** A terminal that is cut off after `limit` bytes of a sale's answers; it books like a real one: kept only when acknowledged. */
async function cutAfter(
  limit: number,
): Promise<{ rig: Rig; outcome: TerminalOutcome; stored: number; acknowledged: boolean }> {
  let isCounting = false;
  let left = limit;
  const rig: Rig = createRig({
    outgoing(bytes, deliver) {
      if (!isCounting) return deliver(bytes);
      const part = bytes.slice(0, Math.max(0, left));
      left -= bytes.length;
      if (part.length > 0) deliver(part);
      if (left < 0) {
        isCounting = false;
        rig.drop();
      }
    },
  });
  await rig.ready();
  rig.peer.on('06 01', script);
  const exchange = await rig.terminal.prepare(sale(), never);
  const before = rig.peer.replies.length;
  isCounting = true;
  const heard = hooks();
  const running = exchange.run(heard);
  await settle();
  const outcome = await running;
  isCounting = false;
  // The acknowledgements of 04 FF and of 04 0F.
  const acknowledged = rig.peer.replies.length - before >= 2;
  return { rig, outcome, stored: heard.provisional.length, acknowledged };
}

describe('the line cut after any byte of a sale', () => {
  it('never gives a result of a cut message, never loses one that was acknowledged, and recovery finds what the terminal booked', async () => {
    for (let limit = 0; limit <= total; limit++) {
      const { rig, outcome, stored, acknowledged } = await cutAfter(limit);
      expect(outcome.kind, `after ${limit} bytes`).toBe(limit === total ? 'APPROVED' : 'UNKNOWN');
      expect(stored, `after ${limit} bytes`).toBe(limit >= throughStatus ? 1 : 0);
      // Never acknowledged without having been stored.
      if (acknowledged) expect(stored).toBe(1);
      rig.peer.on(
        '06 20',
        acknowledged
          ? [OK, status, DONE]
          : [OK, payment({ amount: 500, receipt: '0470', trace: '000470', time: '110000' }), DONE],
      );
      await rig.clock.advance(2_000);
      const told = stored === 1 ? provisional : undefined;
      const mark = { knowledge: 'RECEIPT', receipt: '0470', trace: '000470', date: '1127', time: '110000' } as const;
      const running = rig.terminal.recover(question(sale(), mark, told), never);
      await rig.clock.advance(10_000);
      const answer = await running;
      expect(answer.kind, `after ${limit} bytes`).toBe('SETTLED');
      if (answer.kind === 'SETTLED')
        expect(answer.outcome.kind, `after ${limit} bytes`).toBe(acknowledged ? 'APPROVED' : 'FAILED');
      expect(rig.peer.count('06 01')).toBe(1);
      await rig.terminal.stop();
    }
  });
});

describe('the line cut after any byte of the command', () => {
  it('ends unknown, and the command is never sent again', async () => {
    const length = bytesOf('06 01 0A 04 00 00 00 00 12 34 49 09 78').length;
    for (let limit = 0; limit < length; limit++) {
      let isCounting = false;
      let left = limit;
      let seenStarts = 0;
      const rig: Rig = createRig({
        incoming(bytes, deliver) {
          if (bytes[0] === 0x06 && bytes[1] === 0x01) seenStarts++;
          if (!isCounting) return deliver(bytes);
          deliver(bytes.slice(0, left));
          left = 0;
          isCounting = false;
          rig.drop();
        },
      });
      await rig.ready();
      const exchange = await rig.terminal.prepare(sale(), never);
      isCounting = true;
      const running = exchange.run(hooks());
      await settle();
      expect((await running).kind).toBe('UNKNOWN');
      await rig.clock.advance(60_000);
      expect(seenStarts).toBe(1);
      expect(rig.peer.count('06 01')).toBe(0);
      await rig.terminal.stop();
    }
  });
});

describe('the answers cut into reads at any byte', () => {
  it('give the same approval, joined or apart', async () => {
    const reads: ((bytes: Uint8Array, deliver: (bytes: Uint8Array) => void) => void)[] = [
      (bytes, deliver) => {
        for (const byte of bytes) deliver(Uint8Array.of(byte));
      },
      ...Array.from({ length: 8 }, (_, at) => (bytes: Uint8Array, deliver: (bytes: Uint8Array) => void) => {
        deliver(bytes.slice(0, at + 1));
        if (bytes.length > at + 1) deliver(bytes.slice(at + 1));
      }),
    ];
    for (const outgoing of reads) {
      const rig = createRig({ outgoing });
      await rig.ready();
      rig.peer.on('06 01', script);
      const outcome = await (await rig.terminal.prepare(sale(), never)).run(hooks());
      expect(outcome.kind).toBe('APPROVED');
      expect(rig.peer.count('06 01')).toBe(1);
    }
  });

  it('take a reply and what follows out of one segment (own-two-in-one, own-status-and-completion)', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [{ raw: captured('own-two-in-one') }, { raw: `${payment({ amount: 1234 })} ${DONE}` }]);
    const heard = hooks();
    const outcome = await (await rig.terminal.prepare(sale(), never)).run(heard);
    expect(outcome.kind).toBe('APPROVED');
    expect(heard.provisional).toHaveLength(1);
  });
});
