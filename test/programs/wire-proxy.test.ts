// The line that other tests let fail: what arrives of a message, and how often.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startWireProxy, type WireHooks } from '../support/wire-proxy.ts';

/** The till says "question"; the peer answers "answer" to whatever it hears. @returns what each of the two has heard when the line is quiet */
async function talk(fateOf: NonNullable<WireHooks['fateOf']>) {
  const atPeer: string[] = [];
  const atTill: string[] = [];
  const peer = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      atPeer.push(bytes.toString());
      socket.write('answer');
    });
  }).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const proxy = await startWireProxy((peer.address() as AddressInfo).port, { fateOf });
  const till = connect(proxy.port, '127.0.0.1');
  let isBroken = false;
  till
    .on('error', () => till.destroy())
    .on('close', () => {
      isBroken = true;
    });
  till.on('data', (bytes) => atTill.push(bytes.toString()));
  till.write('question');
  return {
    atPeer,
    atTill,
    isBroken: () => isBroken,
    async end() {
      await proxy.close();
      peer.close();
    },
  };
}

it.each([
  ['PASS', 'FROM_TILL', ['question'], 'answer', false],
  ['LOSE', 'FROM_TILL', [], '', true],
  ['TRUNCATE', 'FROM_TILL', ['ques'], '', true],
  ['DOUBLE', 'FROM_TILL', ['question', 'question'], 'answer', false],
  ['LOSE', 'TO_TILL', ['question'], '', true],
  ['TRUNCATE', 'TO_TILL', ['question'], 'ans', true],
  ['DOUBLE', 'TO_TILL', ['question'], 'answeranswer', false],
] as const)('%s %s', async (fate, direction, heardByPeer, heardByTill, breaks) => {
  const line = await talk((point) => (point.direction === direction ? fate : 'PASS'));
  await vi.waitFor(() => {
    expect(line.atPeer).toEqual(heardByPeer);
    expect(line.atTill.join('')).toBe(heardByTill);
    expect(line.isBroken()).toBe(breaks);
  });
  await line.end();
});
