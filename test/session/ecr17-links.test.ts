import { describe, expect, it } from 'vitest';
import { ECR17_ACK_TIMEOUT_MS, ECR17_ACKNOWLEDGEMENT } from '../../drivers/session/ecr17.machine.ts';
import { ecr17Links } from '../../drivers/session/ecr17-links.ts';
import { createMemoryTransport, type MemoryPeer } from '../../drivers/transport/memory-transport.ts';
import { bytesOf, hexOf } from '../support/hex.ts';
import { createManualClock } from '../support/manual-clock.ts';

const question = bytesOf('31 32 33 34 35 36 37 38 30 73');
const questionFrame = '02 31 32 33 34 35 36 37 38 30 73 03 34';
const answerFrame = '02 31 32 33 34 35 36 37 38 30 45 30 30 30 30 44 41 54 41 03 12';

async function open(line: 'TCP' | 'SERIAL') {
  const clock = createManualClock();
  const written: string[] = [];
  const heard: string[] = [];
  const ends: string[] = [];
  let peer: MemoryPeer | undefined;
  const factory = ecr17Links(
    (listeners) =>
      createMemoryTransport(
        'memory',
        (made) => {
          peer = made;
          return { onData: (bytes) => void written.push(hexOf(bytes)), onClose() {} };
        },
        listeners,
      ),
    clock,
    { line, lrc: 'STD' },
  );
  const link = factory({
    onMessage: (message) => void heard.push(hexOf(message)),
    onDown: (reason) => void ends.push(reason),
    onReport() {},
  });
  await link.open(new AbortController().signal);
  return {
    clock,
    link,
    written,
    heard,
    ends,
    say: (hex: string) => peer?.send(bytesOf(hex)),
    drop: () => peer?.drop('unplugged'),
  };
}

describe('a link to an ECR17 terminal', () => {
  it('resolves a send with the acknowledgement, and hands on the answer', async () => {
    const { clock, link, written, heard, say } = await open('TCP');
    const sent = link.send(question);
    await clock.advance(10);
    say('06 03 79');
    say(answerFrame);
    await expect(sent).resolves.toBe('DELIVERED');
    await clock.advance(10);
    await link.send(ECR17_ACKNOWLEDGEMENT);
    await clock.advance(10);
    expect(heard).toHaveLength(1);
    expect(written).toEqual([questionFrame, '06 03 79']);
  });

  it('repeats on a serial line after silence, and closes it after three transmissions', async () => {
    const { clock, link, written, ends } = await open('SERIAL');
    const sent = expect(link.send(question)).rejects.toThrow('lost');
    await clock.advance(3 * ECR17_ACK_TIMEOUT_MS);
    await sent;
    expect(written).toEqual([questionFrame, questionFrame, questionFrame]);
    expect(ends).toEqual(['the terminal does not acknowledge the message']);
  });

  it('sends once over TCP, and closes the connection that nothing comes back from', async () => {
    const { clock, link, written, ends } = await open('TCP');
    const sent = expect(link.send(question)).rejects.toThrow('lost');
    await clock.advance(3 * ECR17_ACK_TIMEOUT_MS);
    await sent;
    expect(written).toEqual([questionFrame]);
    expect(ends).toHaveLength(1);
  });

  it('tells three refusals as such, and stays open', async () => {
    const { clock, link, written, say } = await open('TCP');
    const sent = link.send(question);
    for (let nak = 0; nak < 3; nak++) {
      await clock.advance(10);
      say('15 03 6A');
    }
    await expect(sent).resolves.toBe('REFUSED');
    expect(written).toEqual([questionFrame, questionFrame, questionFrame]);
    expect(link.isOpen()).toBe(true);
  });

  it('rejects what was under way when the line is lost, and leaves no timer', async () => {
    const { clock, link, drop } = await open('SERIAL');
    const sent = expect(link.send(question)).rejects.toThrow('lost');
    await clock.advance(10);
    drop();
    await sent;
    await clock.advance(10);
    expect(clock.waiting).toBe(0);
    await expect(link.send(question)).rejects.toThrow('nothing was sent');
  });
});
