import { describe, expect, it } from 'vitest';
import { INITIAL_SERIAL_LINE, type SerialLineInput, stepSerialLine } from '../../drivers/virtual/zvt/serial-line.ts';
import { bytesOf, hexOf } from '../support/hex.ts';
import { vectorHex } from '../support/vectors.ts';

const ACK_APDU = vectorHex('digest-ack-apdu');
const REGISTRATION = vectorHex('digest-registration');

/** The line on a table: what it writes and hands on, as readable lines. */
function createLine() {
  let state = INITIAL_SERIAL_LINE;
  const take = (input: SerialLineInput) => {
    const result = stepSerialLine(state, input);
    state = result.state;
    return result.outputs.flatMap((output) => {
      if (output.type === 'write') return [`write ${hexOf(output.bytes)}`];
      if (output.type === 'deliver') return [`deliver ${hexOf(output.apdu)}`];
      return output.type === 'failed' ? ['failed'] : [];
    });
  };
  return {
    take,
    receive: (hex: string) => take({ type: 'bytes', bytes: bytesOf(hex) }),
    send: (hex: string, damage?: 'HALF' | 'NOISE') =>
      take({ type: 'send', apdu: bytesOf(hex), ...(damage === undefined ? {} : { damage }) }),
  };
}

describe('the serial line of a terminal', () => {
  it('acknowledges a frame at once and hands it on', () => {
    expect(createLine().receive(REGISTRATION)).toEqual(['write 06', 'deliver 06 00 06 00 00 00 1A 09 78']);
  });

  it('takes a frame in pieces and several in one read', () => {
    const line = createLine();
    const bytes = REGISTRATION.split(' ');
    for (const byte of bytes.slice(0, -1)) expect(line.receive(byte)).toEqual([]);
    expect(line.receive(bytes.at(-1) ?? '')).toHaveLength(2);
    expect(
      createLine()
        .receive(vectorHex('ack-then-two-frames'))
        .filter((output) => output.startsWith('deliver')),
    ).toHaveLength(2);
  });

  it('sends frames as the specification writes them', () => {
    expect(createLine().send('80 00 00')).toEqual([`write ${ACK_APDU}`]);
    expect(createLine().send('06 01 0A 04 00 00 00 00 10 10 49 09 78')).toEqual([
      `write ${vectorHex('split-every-byte')}`,
    ]);
  });

  it('answers a wrong checksum, and a frame that breaks off, with NAK', () => {
    expect(createLine().receive(vectorHex('crc-bit'))).toEqual(['write 15']);
    const line = createLine();
    expect(line.receive(vectorHex('cut-no-end'))).toEqual([]);
    expect(line.take({ type: 't1' })).toEqual(['write 15']);
  });

  it('acknowledges a repeated frame and hands it on once', () => {
    const line = createLine();
    line.receive(REGISTRATION);
    expect(line.receive(REGISTRATION)).toEqual(['write 06']);
    line.send('80 00 00');
    expect(line.receive(REGISTRATION)).toEqual(['write 06']);
  });

  it('takes the same bytes for a new command once the other side has acknowledged an answer', () => {
    const line = createLine();
    line.receive(REGISTRATION);
    line.send('80 00 00');
    line.receive('06');
    expect(line.receive(REGISTRATION)).toEqual(['write 06', 'deliver 06 00 06 00 00 00 1A 09 78']);
  });

  it('sends three times when nothing or NAK comes back, then says that the line failed', () => {
    const line = createLine();
    line.send('80 00 00');
    expect(line.receive('15')).toEqual([`write ${ACK_APDU}`]);
    expect(line.take({ type: 't2' })).toEqual([`write ${ACK_APDU}`]);
    expect(line.take({ type: 't2' })).toEqual(['failed']);
    expect(line.take({ type: 't2' })).toEqual([]);
  });

  it('lets the next frame go after the ACK of the one before', () => {
    const line = createLine();
    line.send('80 00 00');
    expect(line.send('06 0F 00')).toEqual([]);
    expect(line.receive('06')).toEqual([`write ${vectorHex('digest-completion')}`]);
  });

  it('ignores noise between frames', () => {
    expect(
      createLine()
        .receive(vectorHex('noise-before'))
        .filter((output) => output.startsWith('deliver')),
    ).toEqual(['deliver 04 FF 01 0E']);
  });

  it('can send half a frame, and the whole one when asked again', () => {
    const line = createLine();
    expect(line.send('06 0F 00', 'HALF')).toEqual(['write 10 02 06 0F']);
    expect(line.receive('15')).toEqual([`write ${vectorHex('digest-completion')}`]);
  });

  it('can put noise before a frame', () => {
    expect(createLine().send('06 0F 00', 'NOISE')).toEqual([
      'write 00 FF 41 0D',
      `write ${vectorHex('digest-completion')}`,
    ]);
  });
});
