import { describe, expect, it } from 'vitest';
import { isWholeReply } from '../../drivers/caisse-ap/codec/replies.ts';
import { createTlvLink } from '../../drivers/session/tlv-link.ts';
import { createMemoryTransport, type MemoryPeer } from '../../drivers/transport/memory-transport.ts';
import { createManualClock, settle } from '../support/manual-clock.ts';
import { vector } from '../support/vectors.ts';

const QUIET_MS = 500;
const MAX_BYTES = 2_000;
const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

async function openLink() {
  const clock = createManualClock();
  const messages: Uint8Array[] = [];
  const reports: string[] = [];
  const downs: string[] = [];
  const written: Uint8Array[] = [];
  let peer: MemoryPeer | undefined;
  const link = createTlvLink(
    (listeners) =>
      createMemoryTransport(
        'memory',
        (next) => {
          peer = next;
          return { onData: (bytes) => void written.push(bytes), onClose: () => undefined };
        },
        listeners,
      ),
    clock,
    { isWhole: isWholeReply, quietMs: QUIET_MS, maxMessageBytes: MAX_BYTES },
    {
      onMessage: (bytes) => void messages.push(bytes),
      onDown: (reason) => void downs.push(reason),
      onReport: (what) => void reports.push(what),
    },
  );
  await link.open(new AbortController().signal);
  return {
    ...{ clock, link, messages, reports, downs, written },
    async receive(...chunks: readonly Uint8Array[]) {
      for (const chunk of chunks) peer?.send(chunk);
      await settle();
    },
    async drop() {
      peer?.drop('gone');
      await settle();
    },
  };
}

describe('messages without an end of their own', () => {
  it('are whole after a silence, in whatever two reads they came', async () => {
    const reply = vector('reply-done');
    for (let place = 1; place < reply.length; place += 1) {
      const { clock, messages, receive } = await openLink();
      await receive(reply.subarray(0, place));
      await clock.advance(QUIET_MS - 1);
      expect(messages).toEqual([]);
      await receive(reply.subarray(place));
      await clock.advance(QUIET_MS - 1);
      expect(messages).toEqual([]);
      await clock.advance(1);
      expect(messages).toEqual([reply]);
    }
  });

  it('that stop on a boundary without what they must hold are waited for', async () => {
    const { clock, messages, receive } = await openLink();
    await receive(vector('reply-no-ae'));
    await clock.advance(600_000);
    expect(messages).toEqual([]);
    await receive(ascii('AE00201'));
    await clock.advance(QUIET_MS);
    expect(messages).toHaveLength(1);
  });

  it('are whole at once when the line is closed behind them', async () => {
    const { messages, downs, receive, drop } = await openLink();
    await receive(vector('cut-on-boundary'));
    await drop();
    expect(messages).toEqual([vector('cut-on-boundary')]);
    expect(downs).toEqual(['gone']);
  });

  it.each(['cut-in-value', 'cut-in-length', 'cut-in-tag', 'reply-no-ae', 'empty'])(
    'are none when the line is closed behind %s',
    async (id) => {
      const { messages, downs, receive, drop } = await openLink();
      await receive(vector(id));
      await drop();
      expect(messages).toEqual([]);
      expect(downs).toHaveLength(1);
    },
  );

  it.each(['bad-length', 'bad-tag', 'http'])('end the connection with %s', async (id) => {
    const { clock, link, messages, downs, reports, receive } = await openLink();
    await receive(vector(id));
    await clock.advance(QUIET_MS);
    expect(link.isOpen()).toBe(false);
    expect(messages).toEqual([]);
    expect(reports).toEqual(['bytes that are no message']);
    expect(downs).toEqual(['the terminal sent bytes that are no message']);
  });

  it('are not believed when garbage comes right behind them', async () => {
    const { clock, messages, receive } = await openLink();
    await receive(vector('reply-done'), ascii('\r\n'));
    await clock.advance(QUIET_MS);
    expect(messages).toEqual([]);
  });

  it('are given up beyond the longest', async () => {
    const { clock, link, messages, reports, receive } = await openLink();
    const field = ascii(`ZR999${'X'.repeat(999)}`);
    await receive(vector('reply-done'), field, field);
    await clock.advance(QUIET_MS);
    expect(messages).toEqual([]);
    expect(reports).toEqual(['a message that does not end']);
    expect(link.isOpen()).toBe(false);
  });

  it('come one after the other on one connection', async () => {
    const { clock, messages, receive } = await openLink();
    await receive(vector('reply-done'));
    await clock.advance(QUIET_MS);
    await receive(vector('reply-failed-04'));
    await clock.advance(QUIET_MS);
    expect(messages).toEqual([vector('reply-done'), vector('reply-failed-04')]);
  });

  it('are not sent over a line that is closed', async () => {
    const { link, written } = await openLink();
    await link.close('done');
    await expect(link.send(vector('sale-1000'))).rejects.toMatchObject({ kind: 'CLOSED' });
    await settle();
    expect(written).toEqual([]);
  });
});
