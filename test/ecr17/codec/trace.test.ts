import { describe, expect, it } from 'vitest';
import { traceMessage } from '../../../drivers/ecr17/codec/trace.ts';
import { bytesOf } from '../../support/hex.ts';
import { ECR17_FIXTURE } from './fixture.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const foreign = (id: string) => bytesOf(ECR17_FIXTURE.find((item) => item.id === id)?.hex ?? '').subarray(1, -2);

describe('the trace of an ECR17 message', () => {
  it('shows what was asked', () => {
    expect(traceMessage('TO_TERMINAL', foreign('payment-1999'))).toEqual({
      direction: 'TO_TERMINAL',
      name: 'P payment',
      byteCount: 167,
      fields: [
        { tag: 'till', shown: '00000001' },
        { tag: 'amount', shown: '1999' },
        { tag: 'data', hiddenBytes: 145 },
      ],
    });
  });

  it('shows result, STAN, action code and amount, and no card number', () => {
    const trace = traceMessage('FROM_TERMINAL', foreign('own-reply-extended-paid'));
    expect(trace.name).toBe('E payment reply');
    expect(trace.fields.slice(0, -1)).toEqual([
      { tag: 'result', shown: '00' },
      { tag: 'STAN', shown: '000101' },
      { tag: 'action', shown: '000' },
      { tag: 'amount', shown: '1010' },
    ]);
    expect(JSON.stringify(trace)).not.toContain('1111');
  });

  it('tells a reversal of the till from a receipt of the terminal, though both are S', () => {
    expect(traceMessage('TO_TERMINAL', foreign('reversal-123')).name).toBe('S reversal');
    expect(traceMessage('FROM_TERMINAL', foreign('own-receipt-one'))).toMatchObject({
      name: 'S receipt part',
      fields: [{ tag: 'data', hiddenBytes: 60 }],
    });
  });

  it.each([
    ['a message without header', 'ABCD4111111111111111', 'not readable', 20],
    ['an approval that is cut', '123456780E000004111111111111111', 'E not readable', 21],
    ['a message that it does not know', '123456780Z4111111111111111', 'Z other message', 16],
    ['a code that is no letter', '12345678094111111111111111', '? other message', 16],
  ])('shows nothing of %s', (_, text, name, hiddenBytes) => {
    const trace = traceMessage('FROM_TERMINAL', bytes(text));
    expect(trace.name).toBe(name);
    expect(trace.fields).toEqual([{ tag: 'data', hiddenBytes }]);
  });
});
