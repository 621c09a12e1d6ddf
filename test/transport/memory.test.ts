import { describe, expect, it } from 'vitest';
import { createMemoryTransport, type MemoryPeer } from '../../drivers/transport/memory-transport.ts';
import { TransportError } from '../../drivers/transport/transport.ts';
import { settle } from '../support/zvt-clock.ts';

const never = new AbortController().signal;

function pair() {
  const toTill: number[] = [];
  const toTerminal: number[] = [];
  const closes: string[] = [];
  let peer: MemoryPeer | undefined;
  const transport = createMemoryTransport(
    'memory',
    (line) => {
      peer = line;
      return { onData: (bytes) => void toTerminal.push(...bytes), onClose: () => void closes.push('terminal') };
    },
    { onData: (bytes) => void toTill.push(...bytes), onClose: (reason) => void closes.push(reason) },
  );
  return { transport, toTill, toTerminal, closes, peer: () => peer };
}

describe('a memory line', () => {
  it('carries bytes both ways, copied', async () => {
    const line = pair();
    await line.transport.open(never);
    const bytes = Uint8Array.of(1, 2);
    await line.transport.write(bytes);
    bytes.fill(9);
    line.peer()?.send(Uint8Array.of(3));
    await settle();
    expect(line.toTerminal).toEqual([1, 2]);
    expect(line.toTill).toEqual([3]);
  });

  it('obeys the rules of every line: refused writes, one close, one use', async () => {
    const line = pair();
    await expect(line.transport.write(Uint8Array.of(1))).rejects.toBeInstanceOf(TransportError);
    await line.transport.open(never);
    line.peer()?.drop('unplugged');
    await settle();
    await line.transport.close();
    expect(line.closes).toEqual(['unplugged', 'terminal']);
    expect(line.peer()?.send(Uint8Array.of(1))).toBe(false);
    await expect(line.transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await expect(line.transport.open(never)).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(line.toTerminal).toEqual([]);
  });
});
