import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INITIAL_SEND_ACK_STATE,
  MAX_SENDS,
  type SendAckAction,
  type SendAckInput,
  type SendAckState,
  stepSendAck,
} from '../../drivers/session/send-ack.machine.ts';
import { bytesOf, hexOf } from '../support/hex.ts';

/** Frames as they were captured or specified: the expected bytes of this test. */
const frames: readonly { id: string; hex: string }[] = JSON.parse(
  readFileSync(new URL('../fixtures/protocols/zvt-serial.json', import.meta.url), 'utf8'),
);
const frameOfAck = '10 02 80 00 00 10 03 F5 1F';
const frameOfCompletion = '10 02 06 0F 00 10 03 C6 33';
const frameOfSale = '10 02 06 01 0A 04 00 00 00 00 10 10 10 10 49 09 78 10 03 67 D4';
const sale = bytesOf('06 01 0A 04 00 00 00 00 10 10 49 09 78');
const completion = bytesOf('06 0F 00');
const reply = bytesOf('80 00 00');

const isReply = (message: Uint8Array): boolean => message[0] === 0x80 || message[0] === 0x84;
const options = { provesReceipt: (sent: Uint8Array, received: Uint8Array) => isReply(sent) || isReply(received) };

function machine() {
  let state: SendAckState = INITIAL_SEND_ACK_STATE;
  return {
    step(input: SendAckInput): readonly SendAckAction[] {
      const step = stepSendAck(options, state, input);
      state = step.state;
      return step.actions;
    },
    send(apdu: Uint8Array, yieldsToPeer = false) {
      return this.step({ type: 'SEND', apdu, yieldsToPeer });
    },
    receive(hex: string) {
      return this.step({ type: 'BYTES', bytes: bytesOf(hex) });
    },
  };
}

const writes = (actions: readonly SendAckAction[]): string[] =>
  actions.flatMap((action) => (action.type === 'WRITE' ? [hexOf(action.bytes)] : []));
const delivered = (actions: readonly SendAckAction[]): string[] =>
  actions.flatMap((action) => (action.type === 'DELIVER' ? [hexOf(action.apdu)] : []));
const kinds = (actions: readonly SendAckAction[]): string[] => actions.map((action) => action.type);

describe('sending a frame', () => {
  it('doubles 10 and adds the checksum, and waits for the acknowledgement', () => {
    const actions = machine().send(sale);
    expect(writes(actions)).toEqual([frameOfSale]);
    expect(kinds(actions)).toEqual(['WRITE', 'START_T2']);
  });

  it('is over with the acknowledgement', () => {
    const line = machine();
    line.send(sale);
    expect(kinds(line.receive('06'))).toEqual(['STOP_T2', 'SENT', 'STOP_T1']);
    expect(writes(line.step({ type: 'T2_EXPIRED' }))).toEqual([]);
  });

  it.each([
    ['refused (NAK)', { type: 'BYTES', bytes: Uint8Array.of(0x15) }],
    ['not acknowledged (T2)', { type: 'T2_EXPIRED' }],
  ] as const)('is repeated word for word when %s, three sends at most', (_, input) => {
    const line = machine();
    const sent = writes(line.send(sale));
    for (let send = 1; send < MAX_SENDS; send++) sent.push(...writes(line.step(input)));
    expect(sent).toEqual([frameOfSale, frameOfSale, frameOfSale]);
    const last = line.step(input);
    expect(writes(last)).toEqual([]);
    expect(last).toContainEqual({ type: 'SEND_FAILED', reason: 'NOT_TAKEN' });
    // Given up is given up: nothing is sent later.
    expect(writes(line.step(input))).toEqual([]);
  });

  it('mixes refusals and silences up to three sends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<SendAckInput>({ type: 'BYTES', bytes: Uint8Array.of(0x15) }, { type: 'T2_EXPIRED' }), {
          maxLength: 12,
        }),
        (inputs) => {
          const line = machine();
          const sent = [...writes(line.send(sale)), ...inputs.flatMap((input) => writes(line.step(input)))];
          expect(sent.length).toBe(Math.min(MAX_SENDS, 1 + inputs.length));
        },
      ),
    );
  });

  it('refuses a second frame while the first is under way', () => {
    const line = machine();
    line.send(sale);
    expect(line.send(reply)).toEqual([{ type: 'SEND_FAILED', reason: 'ALREADY_SENDING' }]);
  });

  it('takes a reply for the acknowledgement that got lost, and never repeats the command after it', () => {
    const line = machine();
    line.send(sale);
    const actions = line.receive(frameOfAck);
    expect(kinds(actions)).toEqual(['WRITE', 'STOP_T2', 'SENT', 'DELIVER', 'STOP_T1']);
    expect(writes(actions)).toEqual(['06']);
    expect(writes(line.step({ type: 'T2_EXPIRED' }))).toEqual([]);
  });

  it('of a command is not repeated after the terminal spoke at the same time', () => {
    const line = machine();
    line.send(sale);
    expect(delivered(line.receive(frameOfCompletion))).toEqual(['06 0F 00']);
    const actions = line.step({ type: 'T2_EXPIRED' });
    expect(writes(actions)).toEqual([]);
    expect(actions).toContainEqual({ type: 'SEND_FAILED', reason: 'COLLISION' });
  });

  it('of a command that yields is given up at once when both speak', () => {
    const line = machine();
    line.send(bytesOf('06 B0 00'), true);
    const actions = line.receive(frameOfCompletion);
    expect(actions).toContainEqual({ type: 'SEND_FAILED', reason: 'COLLISION' });
    expect(delivered(actions)).toEqual(['06 0F 00']);
  });
});

describe('receiving', () => {
  it('acknowledges a good frame and delivers it', () => {
    const actions = machine().receive(frameOfCompletion);
    expect(writes(actions)).toEqual(['06']);
    expect(delivered(actions)).toEqual(['06 0F 00']);
  });

  it('refuses a frame with a wrong checksum and delivers nothing', () => {
    const actions = machine().receive('10 02 06 0F 00 10 03 C6 34');
    expect(writes(actions)).toEqual(['15']);
    expect(delivered(actions)).toEqual([]);
  });

  it('acknowledges a repeat but processes it once', () => {
    const line = machine();
    expect(delivered(line.receive(frameOfCompletion))).toEqual(['06 0F 00']);
    const again = line.receive(frameOfCompletion);
    expect(writes(again)).toEqual(['06']);
    expect(delivered(again)).toEqual([]);
  });

  it('processes the same bytes anew once the till’s answer was taken: two equal print lines are two lines', () => {
    const line = machine();
    const blankLine = '10 02 06 0F 00 10 03 C6 33';
    line.receive(blankLine);
    line.send(reply);
    line.receive('06');
    expect(delivered(line.receive(blankLine))).toEqual(['06 0F 00']);
  });

  it('a repeat while the answer is under way is a repeat', () => {
    const line = machine();
    line.receive(frameOfCompletion);
    line.send(reply);
    const again = line.receive(frameOfCompletion);
    expect(delivered(again)).toEqual([]);
    expect(writes(again)).toEqual(['06']);
    // The answer was not taken yet, so it is repeated.
    expect(writes(line.step({ type: 'T2_EXPIRED' }))).toEqual([frameOfAck]);
  });

  it('takes acknowledgement and frames out of one read', () => {
    const line = machine();
    line.send(sale);
    const actions = line.receive(`06 ${frameOfAck} ${frameOfCompletion}`);
    expect(kinds(actions)).toContain('SENT');
    expect(delivered(actions)).toEqual(['80 00 00', '06 0F 00']);
    expect(writes(actions)).toEqual(['06', '06']);
  });

  it('gives the same whatever the reads are: split at every byte', () => {
    const bytes = bytesOf(`06 ${frameOfAck} ${frameOfCompletion}`);
    for (let at = 1; at < bytes.length; at++) {
      const line = machine();
      line.send(sale);
      const actions = [
        ...line.step({ type: 'BYTES', bytes: bytes.slice(0, at) }),
        ...line.step({ type: 'BYTES', bytes: bytes.slice(at) }),
      ];
      expect(delivered(actions)).toEqual(['80 00 00', '06 0F 00']);
      expect(writes(actions)).toEqual(['06', '06']);
      expect(kinds(actions).filter((kind) => kind === 'SENT')).toHaveLength(1);
    }
  });

  it('runs T1 within a frame only, and refuses a frame that stops in the middle', () => {
    const line = machine();
    expect(kinds(line.receive('10 02 06 0F'))).toContain('START_T1');
    expect(writes(line.step({ type: 'T1_EXPIRED' }))).toEqual(['15']);
    expect(kinds(line.receive(frameOfCompletion))).toContain('STOP_T1');
  });

  it('is not led astray by any bytes: a good frame after noise is found', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (noise) => {
        const line = machine();
        line.step({ type: 'BYTES', bytes: noise });
        line.step({ type: 'T1_EXPIRED' });
        line.receive(frameOfCompletion);
        line.step({ type: 'T1_EXPIRED' });
        line.send(reply);
        line.receive('06');
        expect(delivered(line.receive(frameOfCompletion))).toEqual(['06 0F 00']);
      }),
    );
  });

  it('the frames used here stand in the captured vectors', () => {
    const all = frames.map((frame) => frame.hex).join(' | ');
    for (const frame of [frameOfAck, frameOfCompletion, frameOfSale]) expect(all).toContain(frame);
    expect(completion).toHaveLength(3);
  });
});
