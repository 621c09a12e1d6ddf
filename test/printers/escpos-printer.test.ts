import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Printer } from '../../app/ports/printer.ts';
import { nodeClock } from '../../app/programs/node-ports.ts';
import { createPrinters } from '../../drivers/printers/create-printers.ts';
import { parsePrinterUrl } from '../../drivers/printers/printer-url.ts';
import { describeUsbError } from '../../drivers/transport/usb-transport.ts';
import { startVirtualPrinter, type VirtualPrinter } from '../support/virtual-printer.ts';
import { openPty } from '../support/zvt-pty.ts';

const limits = { answerTimeoutMs: 300, takeTimeoutMs: 1_000, doneTimeoutMs: 1_000, lookAgainMs: 200 };
/** ESC @, a word, LF, a cut. */
const page = Buffer.from('1b40' + '48616c6c6f' + '0a' + '1d5600', 'hex');

let device: VirtualPrinter;
let printer: Printer;
beforeEach(async () => {
  device = await startVirtualPrinter();
  printer = createPrinters(nodeClock, limits).create(device);
});
afterEach(() => device.off());

const print = () => printer.print(page, new AbortController().signal);

describe('a printer on the network', () => {
  it('prints, and confirms after the last line', async () => {
    expect(await print()).toEqual({ end: 'PRINTED', isConfirmed: true });
    expect(device.pieces).toEqual(['Hallo\n']);
    expect(device.strange).toEqual([]);
  });

  it.each([
    ['NO_PAPER', 'PAPER_OUT'],
    ['COVER_OPEN', 'COVER_OPEN'],
  ] as const)('is told of before anything is sent: %s', async (behaviour, trouble) => {
    device.behave(behaviour);
    expect(await print()).toMatchObject({ end: 'NOT_PRINTED', trouble });
    expect(device.pieces).toEqual([]);
    device.behave('WELL');
    expect(await print()).toMatchObject({ end: 'PRINTED' });
  });

  it('that runs out of paper while it prints has perhaps printed', async () => {
    device.behave('PAPER_ENDS_WHILE_PRINTING');
    expect(await print()).toMatchObject({ end: 'PERHAPS_PRINTED', trouble: 'PAPER_OUT' });
  });

  it('that never tells anything is printed on all the same, without a confirmation', async () => {
    device.behave('SILENT');
    expect(await print()).toEqual({ end: 'PRINTED', isConfirmed: false });
    await expect.poll(() => device.pieces).toEqual(['Hallo\n']);
  });

  it('that has answered before and only holds the line now is in trouble, and nothing is sent', async () => {
    await print();
    device.behave('HALF_OPEN');
    expect(await print()).toMatchObject({ end: 'NOT_PRINTED', trouble: 'NOT_ANSWERING' });
  });

  it('that takes the line and never reads is given up after a while: it has perhaps printed', async () => {
    device.behave('HALF_OPEN');
    const more = Buffer.concat(Array.from({ length: 400_000 }, () => page));
    expect(await printer.print(more, new AbortController().signal)).toMatchObject({
      end: 'PERHAPS_PRINTED',
      trouble: 'LINE_LOST',
    });
    device.behave('WELL');
    expect(await print()).toMatchObject({ end: 'PRINTED', isConfirmed: true });
  });

  it('that is switched off cannot be reached', async () => {
    await device.off();
    expect(await print()).toMatchObject({ end: 'NOT_PRINTED', trouble: 'UNREACHABLE' });
    await device.on();
    expect(await print()).toMatchObject({ end: 'PRINTED' });
  });
});

describe('a printer on a serial line', () => {
  it('gets the print byte for byte between the questions, and confirms it', async () => {
    const pty = await openPty();
    const heard: number[] = [];
    pty.far.on('data', (bytes: Buffer) => {
      heard.push(...bytes);
      const text = bytes.toString('hex');
      for (const _ of text.matchAll(/1004/g)) pty.far.write(Uint8Array.of(0x12));
      if (text.includes('1d7201')) pty.far.write(Uint8Array.of(0x00));
    });
    try {
      const serial = createPrinters(nodeClock, { ...limits, answerTimeoutMs: 5_000, doneTimeoutMs: 5_000 });
      const end = await serial.create({ url: `escpos+serial://${pty.path}` }).print(page, new AbortController().signal);
      expect(end).toEqual({ end: 'PRINTED', isConfirmed: true });
      const questions = '100401' + '100402' + '100404';
      expect(Buffer.from(heard).toString('hex')).toBe(`${questions}${page.toString('hex')}1d7201`);
    } finally {
      await pty.close();
    }
  });
});

describe('other lines', () => {
  it('say what is wrong: no such port, no such device', async () => {
    const printers = createPrinters(nodeClock, limits);
    const { signal } = new AbortController();
    expect(await printers.create({ url: 'escpos+serial:///dev/ttyNONE' }).print(page, signal)).toMatchObject({
      trouble: 'NOT_FOUND',
    });
    const usb = await printers.create({ url: 'escpos+usb://ffff:fffe' }).print(page, signal);
    expect(usb).toMatchObject({ end: 'NOT_PRINTED' });
    expect(describeUsbError(new Error('Permission denied (os error 13)'), 'USB 1:2').kind).toBe('NO_PERMISSION');
  });

  it('are read from their URL, and a wrong one is refused by its part', () => {
    expect(parsePrinterUrl('escpos+tcp://10.0.0.5')).toEqual({ kind: 'TCP', host: '10.0.0.5', port: 9100 });
    expect(parsePrinterUrl('escpos+serial:///dev/ttyUSB0?baudRate=38400')).toEqual({
      kind: 'SERIAL',
      path: '/dev/ttyUSB0',
      baudRate: 38_400,
    });
    expect(parsePrinterUrl('escpos+usb://04b8:0e15/X1')).toEqual({
      kind: 'USB',
      vendorId: 0x04b8,
      productId: 0x0e15,
      serialNumber: 'X1',
    });
    for (const wrong of ['http://x', 'escpos+tcp://', 'escpos+usb://4b8:1', 'escpos+tcp://h:1/p', 'escpos+tcp://h?a=1'])
      expect(() => parsePrinterUrl(wrong), wrong).toThrow('Printer URL');
  });
});
