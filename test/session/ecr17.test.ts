// The link layer of ECR17, byte for byte. Frames are written out from the digest: 02 text 03 and 7F XOR the text.
import { describe, expect, it } from 'vitest';
import {
  ECR17_ACKNOWLEDGEMENT,
  type Ecr17LinkOptions,
  ecr17Machine,
  MAX_ECR17_SENDS,
} from '../../drivers/session/ecr17.machine.ts';
import type { LinkAction, LinkInput } from '../../drivers/session/machine-link.ts';
import { bytesOf, hexOf } from '../support/hex.ts';

const ACK = '06 03 79';
const NAK = '15 03 6A';
/** "123456780s" */
const question = bytesOf('31 32 33 34 35 36 37 38 30 73');
const questionFrame = '02 31 32 33 34 35 36 37 38 30 73 03 34';
/** "123456780E0000DATA" */
const result = '31 32 33 34 35 36 37 38 30 45 30 30 30 30 44 41 54 41';
const resultFrame = `02 ${result} 03 12`;
/** The same with another digit, and the check byte that belongs to it. */
const otherFrame = '02 31 32 33 34 35 36 37 38 30 45 30 31 30 30 44 41 54 41 03 13';
const progressFrame = '01 41 54 54 45 4E 44 45 52 45 20 50 52 45 47 4F 20 20 20 20 20 04';
const progress = progressFrame.slice(0, -3);

function machine(options: Partial<Ecr17LinkOptions> = {}) {
  const { initial, step } = ecr17Machine({ lrc: 'STD', repeatsAfterSilence: true, ...options });
  let state = initial;
  const feed = (input: LinkInput): readonly LinkAction[] => {
    const done = step(state, input);
    state = done.state;
    return done.actions;
  };
  return {
    send: (message: Uint8Array = question) => feed({ type: 'SEND', message, yieldsToPeer: false }),
    acknowledge: () => feed({ type: 'SEND', message: ECR17_ACKNOWLEDGEMENT, yieldsToPeer: false }),
    receive: (hex: string) => feed({ type: 'BYTES', bytes: bytesOf(hex) }),
    silence: () => feed({ type: 'TIMER_EXPIRED', timer: 'ACKNOWLEDGEMENT' }),
    gap: () => feed({ type: 'TIMER_EXPIRED', timer: 'GAP' }),
  };
}

const written = (actions: readonly LinkAction[]) =>
  actions.flatMap((action) => (action.type === 'WRITE' ? [hexOf(action.bytes)] : []));
const delivered = (actions: readonly LinkAction[]) =>
  actions.flatMap((action) => (action.type === 'DELIVER' ? [hexOf(action.message)] : []));
const settled = (actions: readonly LinkAction[]) =>
  actions.flatMap((action) => (action.type === 'SETTLE' ? [action.result] : []));
const failed = (actions: readonly LinkAction[]) =>
  actions.flatMap((action) => (action.type === 'FAIL' ? [action.reason] : []));

describe('sending a message', () => {
  it.each([
    ['STD', '34'],
    ['STX', '35'],
    ['NOEXT', '37'],
    ['STX_NOEXT', '36'],
  ] as const)('counts the check byte as the terminal does (%s)', (lrc, check) => {
    expect(written(machine({ lrc }).send())).toEqual([questionFrame.replace(/..$/, check)]);
  });

  it.each(['06 03 79', '06 03 78', '06 03 7A', '06 03 7B'])('is over with any acknowledgement: %s', (ack) => {
    const line = machine();
    line.send();
    expect(settled(line.receive(ack))).toEqual(['DELIVERED']);
    expect(written(line.silence())).toEqual([]);
  });

  it('repeats it without a change when nothing comes back, three transmissions at most', () => {
    const line = machine();
    const sent = written(line.send());
    for (let send = 1; send < MAX_ECR17_SENDS; send++) sent.push(...written(line.silence()));
    expect(sent).toEqual([questionFrame, questionFrame, questionFrame]);
    const last = line.silence();
    expect(written(last)).toEqual([]);
    expect(failed(last)).toHaveLength(1);
    expect(written(line.silence())).toEqual([]);
  });

  it('sends nothing twice over TCP for silence: there it is not lost, and may be waiting', () => {
    const line = machine({ repeatsAfterSilence: false });
    line.send();
    const last = line.silence();
    expect(written(last)).toEqual([]);
    expect(failed(last)).toHaveLength(1);
  });

  it.each(['15 03 6A', '15 03 69'])('repeats it for a NAK, and takes the third as a refusal: %s', (nak) => {
    const line = machine({ repeatsAfterSilence: false });
    line.send();
    expect(written(line.receive(nak))).toEqual([questionFrame]);
    expect(written(line.receive(nak))).toEqual([questionFrame]);
    const last = line.receive(nak);
    expect(written(last)).toEqual([]);
    expect(settled(last)).toEqual(['REFUSED']);
  });

  it('concludes nothing from a refusal of its repeat: the first may have been taken', () => {
    const line = machine();
    line.send();
    line.silence();
    line.receive(NAK);
    const last = line.receive(NAK);
    expect(settled(last)).toEqual([]);
    expect(failed(last)).toHaveLength(1);
  });

  it('is over with the reply when its acknowledgement got lost, and is not repeated after it', () => {
    const line = machine();
    line.send();
    const heard = line.receive(resultFrame);
    expect(settled(heard)).toEqual(['DELIVERED']);
    expect(delivered(heard)).toEqual([result]);
    expect(written(line.silence())).toEqual([]);
  });

  it('is over with a progress text, too', () => {
    const line = machine();
    line.send();
    expect(settled(line.receive(progressFrame))).toEqual(['DELIVERED']);
    expect(written(line.silence())).toEqual([]);
  });

  it('takes acknowledgement, progress and reply from one read, cut anywhere', () => {
    const bytes = `${ACK} ${progressFrame} ${resultFrame}`.split(' ');
    for (let cut = 1; cut < bytes.length; cut++) {
      const line = machine();
      line.send();
      const heard = [...line.receive(bytes.slice(0, cut).join(' ')), ...line.receive(bytes.slice(cut).join(' '))];
      expect(settled(heard)).toEqual(['DELIVERED']);
      expect(delivered(heard)).toEqual([progress, result]);
    }
  });

  it('reports an acknowledgement and a refusal of nothing, and does nothing', () => {
    const line = machine();
    expect(written(line.receive(ACK))).toEqual([]);
    expect(written(line.receive(NAK))).toEqual([]);
  });
});

describe('receiving a message', () => {
  it('acknowledges it when it is told to, not before', () => {
    const line = machine();
    expect(written(line.receive(resultFrame))).toEqual([]);
    expect(written(line.acknowledge())).toEqual([ACK]);
  });

  it('acknowledges with the check byte of the terminal', () => {
    const line = machine({ lrc: 'NOEXT' });
    line.receive(`02 ${result} 03 11`);
    expect(written(line.acknowledge())).toEqual(['06 03 7A']);
  });

  it('does not acknowledge progress', () => {
    expect(written(machine().receive(progressFrame))).toEqual([]);
  });

  it('acknowledges what the terminal repeats, and delivers it once', () => {
    const line = machine();
    line.receive(resultFrame);
    line.acknowledge();
    const again = line.receive(resultFrame);
    expect(delivered(again)).toEqual([]);
    expect(written(again)).toEqual([ACK]);
  });

  it('does not acknowledge the repeat of what it was not told to acknowledge', () => {
    const line = machine();
    line.receive(resultFrame);
    const again = line.receive(resultFrame);
    expect(delivered(again)).toEqual([]);
    expect(written(again)).toEqual([]);
  });

  it('delivers another message, and the same one as the answer to something new', () => {
    const line = machine();
    line.receive(resultFrame);
    line.acknowledge();
    expect(delivered(line.receive(otherFrame))).toHaveLength(1);
    line.acknowledge();
    line.send();
    line.receive(ACK);
    expect(delivered(line.receive(otherFrame))).toHaveLength(1);
  });

  it('sends nothing again for silence after something old was repeated into the wait', () => {
    const line = machine();
    line.receive(resultFrame);
    line.acknowledge();
    line.send();
    expect(written(line.receive(resultFrame))).toEqual([ACK]);
    const last = line.silence();
    expect(written(last)).toEqual([]);
    expect(failed(last)).toHaveLength(1);
  });

  it('refuses a damaged message, so that it is repeated', () => {
    const line = machine();
    const heard = line.receive(resultFrame.replace('44 41 54', '44 51 54'));
    expect(delivered(heard)).toEqual([]);
    expect(written(heard)).toEqual([NAK]);
    expect(delivered(line.receive(resultFrame))).toEqual([result]);
  });

  it('refuses a message whose check byte is counted in another way than it was told', () => {
    const heard = machine().receive(`02 ${result} 03 11`);
    expect(delivered(heard)).toEqual([]);
    expect(written(heard)).toEqual([NAK]);
  });

  it('refuses a message whose end does not come, and takes the next one', () => {
    const line = machine();
    line.receive('02 31 32 33');
    expect(written(line.gap())).toEqual([NAK]);
    expect(delivered(line.receive(resultFrame))).toEqual([result]);
  });

  it('does not answer a progress text or an acknowledgement whose end does not come', () => {
    const line = machine();
    line.receive('01 41 54');
    expect(written(line.gap())).toEqual([]);
    line.receive('06 03');
    expect(written(line.gap())).toEqual([]);
  });
});
