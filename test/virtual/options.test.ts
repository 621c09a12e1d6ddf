import { describe, expect, it } from 'vitest';
import { createLease } from '../../drivers/virtual/lease.ts';
import { parseOptions } from '../../drivers/virtual/options.ts';

describe('the command line of a virtual terminal', () => {
  it('has defaults for everything', () => {
    expect(parseOptions([])).toEqual({
      protocol: 'zvt',
      listen: { kind: 'TCP', port: 20_007 },
      controlPort: 0,
      isManual: false,
      thinkMs: 800,
      ackTimeoutMs: 5000,
      currency: 'EUR',
      terminalId: '29000001',
      language: 'en',
      encryption: 'TDES',
      lrc: 'STD',
      closesBetween: false,
    });
  });

  it('makes a reader on a pty, and on nothing else', () => {
    expect(parseOptions(['--protocol', 'neo2', '--pty', '/tmp/r', '--encryption', 'aes'])).toMatchObject({
      protocol: 'neo2',
      listen: { kind: 'PTY', linkPath: '/tmp/r' },
      encryption: 'AES',
    });
    expect(() => parseOptions(['--protocol', 'neo2'])).toThrow('--protocol neo2 needs --pty LINK');
    expect(() => parseOptions(['--protocol', 'neo2', '--tcp', '0'])).toThrow('--protocol neo2 needs --pty LINK');
    expect(() => parseOptions(['--protocol', 'opi'])).toThrow(
      '--protocol is zvt or neo2 or ecr17 or caisse-ap, not opi',
    );
    expect(() => parseOptions(['--encryption', 'rot13'])).toThrow('--encryption is tdes or aes, not rot13');
  });

  it('makes an ECR17 terminal on either line, in any variant of its checksum', () => {
    expect(parseOptions(['--protocol', 'ecr17'])).toMatchObject({
      protocol: 'ecr17',
      listen: { kind: 'TCP', port: 10_000 },
    });
    const args = ['--protocol', 'ecr17', '--pty', '/tmp/e', '--lrc', 'stx-noext', '--close-between'];
    expect(parseOptions(args)).toMatchObject({
      listen: { kind: 'PTY', linkPath: '/tmp/e' },
      lrc: 'STX_NOEXT',
      closesBetween: true,
    });
    expect(() => parseOptions(['--lrc', 'crc'])).toThrow('--lrc is std, stx, noext, stx-noext, not crc');
  });

  it('takes a pty, a book, a lease and the rest', () => {
    const args = [
      '--pty',
      '/tmp/t',
      '--book',
      'b',
      '--lease-seconds',
      '120',
      '--manual',
      '--terminal-id',
      '42',
      '--currency',
      'chf',
      '--language',
      'de',
    ];
    expect(parseOptions(args)).toMatchObject({
      listen: { kind: 'PTY', linkPath: '/tmp/t' },
      bookPath: 'b',
      leaseSeconds: 120,
      isManual: true,
      terminalId: '00000042',
      currency: 'CHF',
      language: 'de',
    });
  });

  it.each([
    [['--tcp', '70000'], '--tcp is a number from 0 to 65535'],
    [['--tcp', '-1'], '--tcp'],
    [['--tcp', '1', '--pty', 'x'], 'not both'],
    [['--terminal-id', '123456789'], '--terminal-id'],
    [['--language', 'fr'], '--language is en or de'],
    [['--unknown'], '--unknown'],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});

describe('a lease', () => {
  it('ends the program when nobody renews it, counted from the last renewal', () => {
    const waiting: { delayMs: number; callback: () => void; isCancelled: boolean }[] = [];
    let ends = 0;
    const clock = {
      nowMs: () => 0,
      monotonicMs: () => 0,
      after(delayMs: number, callback: () => void) {
        const timer = { delayMs, callback, isCancelled: false };
        waiting.push(timer);
        return () => {
          timer.isCancelled = true;
        };
      },
    };
    const lease = createLease(120, clock, () => {
      ends++;
    });
    expect(lease.renew()).toEqual({ leaseSeconds: 120 });
    expect(waiting.map(({ delayMs, isCancelled }) => [delayMs, isCancelled])).toEqual([
      [120_000, true],
      [120_000, false],
    ]);
    waiting[1]?.callback();
    expect(ends).toBe(1);
    createLease(undefined, clock, () => {});
    expect(waiting).toHaveLength(2);
  });
});
