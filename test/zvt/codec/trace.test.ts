import { describe, expect, it } from 'vitest';
import { traceMessage } from '../../../drivers/zvt/codec/trace.ts';
import { bytesOf } from '../../support/hex.ts';

describe('the trace of a message', () => {
  it('shows amount and result, and of card data only how long they are', () => {
    const message = bytesOf('04 0F 16 27 00 04 000000001250 22 F1 F0 4929130412345675 FFFF');
    expect(traceMessage('FROM_TERMINAL', message)).toEqual({
      direction: 'FROM_TERMINAL',
      name: '040F status information',
      byteCount: 25,
      fields: [
        { tag: '27', shown: '00' },
        { tag: '04', shown: '000000001250' },
        { tag: '22', hiddenBytes: 10 },
      ],
    });
  });

  it('hides the password of a command', () => {
    const { name, fields } = traceMessage('TO_TERMINAL', bytesOf('06 30 06 123456 87 0001'));
    expect(name).toBe('0630 reversal');
    expect(fields).toEqual([
      { tag: 'password', hiddenBytes: 3 },
      { tag: '87', shown: '0001' },
    ]);
  });

  it.each([
    ['a list that cannot be read to its end', '04 0F 09 27 00 99 4929130412 34'],
    ['a text for the printer', '06 D1 09 00 4929130412345675'],
    ['a message that it does not know', '06 7F 08 4929130412345675'],
    ['half a message', '04 0F 20 27 00 4929130412'],
  ])('shows nothing of %s', (_, hex) => {
    const { fields } = traceMessage('FROM_TERMINAL', bytesOf(hex));
    expect(fields).toEqual([{ tag: 'data', hiddenBytes: expect.any(Number) }]);
  });
});
