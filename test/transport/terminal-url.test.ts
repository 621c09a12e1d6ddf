import { describe, expect, it } from 'vitest';
import { createTerminal, listProtocols, parseTerminalUrl } from '../../drivers/registry.ts';
import { lrcNameOf } from '../../drivers/urls/ecr17-url.ts';
import { neo2PlaceOf, parseNeo2Url } from '../../drivers/urls/neo2-url.ts';
import { parseZvtUrl } from '../../drivers/urls/zvt-url.ts';
import { createScriptedHid } from '../support/scripted-hid.ts';
import { createManualClock } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';

describe('a terminal URL', () => {
  it('names a TCP terminal with its password and currency', () => {
    const address = parseZvtUrl('zvt+tcp://192.168.1.20:20008?password=123456&currency=CHF');
    expect(address).toMatchObject({
      protocol: 'ZVT',
      currency: 'CHF',
      line: { kind: 'TCP', host: '192.168.1.20', port: 20008 },
    });
    expect(address.settings).toMatchObject({
      currencyNumeric: '756',
      completion: 'BOOK_TOTAL',
      issuerCodes: 'BINARY',
      receipts: 'TILL',
    });
    expect(address.settings.password.reveal()).toBe('123456');
    expect(JSON.stringify(address)).not.toContain('123456');
  });

  it('has defaults: port 20007, 9600 baud, password 000000, EUR', () => {
    expect(parseTerminalUrl('zvt+tcp://till-terminal').line).toEqual({
      kind: 'TCP',
      host: 'till-terminal',
      port: 20007,
    });
    const serial = parseZvtUrl('zvt+serial:///dev/ttyUSB0');
    expect(serial).toMatchObject({ currency: 'EUR', line: { kind: 'SERIAL', path: '/dev/ttyUSB0', baudRate: 9600 } });
    expect(serial.settings.password.reveal()).toBe('000000');
  });

  it('takes IPv6, lasting device names, Windows ports and the other settings', () => {
    expect(parseTerminalUrl('zvt+tcp://[::1]:20007').line).toEqual({ kind: 'TCP', host: '::1', port: 20007 });
    expect(parseTerminalUrl('zvt+serial:///dev/serial/by-id/usb-Ingenico_x').line).toMatchObject({
      path: '/dev/serial/by-id/usb-Ingenico_x',
    });
    expect(parseTerminalUrl('zvt+serial://COM3?baudRate=115200').line).toEqual({
      kind: 'SERIAL',
      path: 'COM3',
      baudRate: 115200,
    });
    expect(
      parseTerminalUrl('zvt+tcp://h?completion=partial-reversal&issuerCodes=bcd&receipts=terminal').settings,
    ).toMatchObject({
      completion: 'PARTIAL_REVERSAL',
      issuerCodes: 'BCD',
      receipts: 'TERMINAL',
    });
  });

  it('names an ECR17 terminal in the network, with its check byte and where its receipts go', () => {
    expect(
      parseTerminalUrl('ecr17+tcp://192.168.1.20:9999?lrc=stx-noext&currency=CHF&receipts=terminal&till=12'),
    ).toEqual({
      protocol: 'ECR17',
      line: { kind: 'TCP', host: '192.168.1.20', port: 9_999 },
      currency: 'CHF',
      settings: { currency: 'CHF', lrc: 'STX_NOEXT', receipts: 'TERMINAL', tillId: '00000012' },
    });
    expect(parseTerminalUrl('ecr17+tcp://counter')).toMatchObject({
      line: { kind: 'TCP', host: 'counter', port: 10_000 },
      settings: { currency: 'EUR', lrc: 'STD', receipts: 'TILL', tillId: '00000001' },
    });
  });

  it('names an ECR17 terminal on a serial port, at 9600 baud unless told otherwise', () => {
    expect(parseTerminalUrl('ecr17+serial:///dev/ttyUSB0?lrc=noext')).toMatchObject({
      protocol: 'ECR17',
      line: { kind: 'SERIAL', path: '/dev/ttyUSB0', baudRate: 9_600 },
      settings: { lrc: 'NOEXT' },
    });
    expect(parseTerminalUrl('ecr17+serial://COM3?baudRate=115200').line).toMatchObject({
      path: 'COM3',
      baudRate: 115_200,
    });
  });

  it.each([
    ['STD', 'std'],
    ['STX', 'stx'],
    ['NOEXT', 'noext'],
    ['STX_NOEXT', 'stx-noext'],
  ] as const)('the check byte %s is written %s', (lrc, name) => {
    expect(lrcNameOf(lrc)).toBe(name);
    expect(parseTerminalUrl(`ecr17+tcp://h?lrc=${name}`).settings).toMatchObject({ lrc });
  });

  it('names a Caisse-AP terminal with the numbers that it is told of the till', () => {
    expect(
      parseTerminalUrl('caisse-ap+tcp://[::1]?currency=CHF&till=7&protocolId=012345678901&answer=at-once'),
    ).toEqual({
      protocol: 'CAISSE_AP',
      line: { kind: 'TCP', host: '::1', port: 8_888 },
      currency: 'CHF',
      settings: {
        currency: 'CHF',
        currencyNumeric: '756',
        tillNumber: '07',
        protocolId: '012345678901',
        answerMode: 'AT_ONCE',
      },
    });
    expect(parseTerminalUrl('caisse-ap+tcp://h').settings).toMatchObject({
      currencyNumeric: '978',
      tillNumber: '01',
      protocolId: '000000000001',
      answerMode: 'WAIT',
    });
  });

  it('names a USB reader by vendor, product and, where it must, serial number', () => {
    expect(parseTerminalUrl('neo2+hid://0ACD:3810/7T%201?currency=CHF&encryption=as-told')).toEqual({
      protocol: 'NEO2',
      line: { kind: 'HID', vendorId: 0x0acd, productId: 0x3810, serialNumber: '7T 1' },
      currency: 'CHF',
      settings: { currency: 'CHF', currencyNumeric: '756', encryption: 'AS_ATTRIBUTED' },
    });
    const line = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 };
    for (const url of ['neo2+hid://0acd:3810', 'neo2+hid://0ACD:3810/', 'neo2+hid://0ACD:3810?currency=EUR'])
      expect(parseTerminalUrl(url)).toMatchObject({ line, currency: 'EUR', settings: { encryption: 'ALWAYS' } });
    expect(parseTerminalUrl('neo2+hid://0ACD:3810').line).not.toHaveProperty('serialNumber');
  });

  it('names a reader on a serial port, at 115200 baud unless told otherwise', () => {
    expect(parseTerminalUrl('neo2+serial:///dev/ttyUSB0')).toMatchObject({
      protocol: 'NEO2',
      line: { kind: 'SERIAL', path: '/dev/ttyUSB0', baudRate: 115_200 },
      settings: { currency: 'EUR', currencyNumeric: '978', encryption: 'ALWAYS' },
    });
    expect(parseTerminalUrl('neo2+serial://COM3?baudRate=9600&encryption=required').line).toEqual({
      kind: 'SERIAL',
      path: 'COM3',
      baudRate: 9_600,
    });
  });

  it.each(['neo2+hid://0ACD:3810', 'neo2+hid://0ACD:0001/a%2Fb%3Fc', 'neo2+serial:///dev/serial/by-id/x'])(
    '%s is written as it was read',
    (url) => {
      expect(neo2PlaceOf(parseNeo2Url(url).line)).toBe(url);
    },
  );

  it.each([
    ['hello', 'zvt+tcp://'],
    ['hello', 'neo2+hid://'],
    ['hello', 'ecr17+tcp://'],
    ['hello', 'caisse-ap+tcp://'],
    ['neo2+usb://0ACD:3810', '"neo2+usb"'],
    ['neo2+tcp://10.0.0.1', '"neo2+tcp"'],
    ['neo2+hid://', 'vendor and product'],
    ['neo2+hid://0ACD', 'vendor and product'],
    ['neo2+hid://ACD:3810', 'vendor and product'],
    ['neo2+hid://0ACD:38100', 'vendor and product'],
    ['neo2+hid://user@0ACD:3810', 'vendor and product'],
    ['neo2+hid://0ACD:3810/a/b', 'serial number'],
    ['neo2+hid://0ACD:3810/a%00b', 'serial number'],
    ['neo2+hid://0ACD:3810/%zz', 'percent'],
    [`neo2+hid://0ACD:3810/${'7'.repeat(127)}`, 'serial number'],
    ['neo2+hid://0ACD:3810#x', '#'],
    ['neo2+hid://0ACD:3810?currency=EUR?encryption=required', '"?"'],
    ['neo2+hid://0ACD:3810?baudRate=9600', '"baudRate"'],
    ['neo2+hid://0ACD:3810?password=000000', '"password"'],
    ['neo2+hid://0ACD:3810?encryption=no', 'encryption'],
    ['neo2+hid://0ACD:3810?currency=euro', 'currency'],
    ['neo2+hid://0ACD:3810?currency=EUR&currency=EUR', '"currency"'],
    ['neo2+serial://', 'serial port'],
    ['neo2+serial:///dev/ttyS0?baudRate=1', 'baudRate'],
    ['neo2+serial:///dev/ttyS0?completion=book-total', '"completion"'],
    ['ecr17+tcp://', 'host'],
    ['ecr17+tcp://h/path', 'ecr17+tcp'],
    ['ecr17+tcp://h:70000', 'port'],
    ['ecr17+tcp://h?lrc=crc', 'lrc'],
    ['ecr17+tcp://h?receipts=none', 'receipts'],
    ['ecr17+tcp://h?till=123456789', 'till'],
    ['ecr17+tcp://h?till=A1', 'till'],
    ['ecr17+tcp://h?currency=eur', 'currency'],
    ['ecr17+tcp://h?password=000000', '"password"'],
    ['ecr17+tcp://h?baudRate=9600', '"baudRate"'],
    ['ecr17+hid://0ACD:3810', '"ecr17+hid"'],
    ['ecr17+serial://', 'serial port'],
    ['ecr17+serial:///dev/ttyS0?baudRate=1', 'baudRate'],
    ['caisse-ap+tcp://', 'host'],
    ['caisse-ap+tcp://h:0', 'port'],
    ['caisse-ap+tcp://h?till=123', 'till'],
    ['caisse-ap+tcp://h?answer=never', 'answer'],
    ['caisse-ap+tcp://h?protocolId=12345', 'protocolId'],
    ['caisse-ap+tcp://h?protocolId=00000000000%20', 'protocolId'],
    ['caisse-ap+tcp://h?currency=ZZZ', 'currency'],
    ['caisse-ap+tcp://h?lrc=std', '"lrc"'],
    ['caisse-ap+serial:///dev/ttyS0', '"caisse-ap+serial"'],
    ['http://10.0.0.1', '"http"'],
    ['zvt+tcp://', 'host'],
    ['zvt+tcp://h:99999', 'port'],
    ['zvt+tcp://h:0', 'port'],
    ['zvt+tcp://h/path', 'path'],
    ['zvt+tcp://user@h', 'user'],
    ['zvt+tcp://h#x', '#'],
    ['zvt+tcp://h?baudRate=9600', 'baudRate'],
    ['zvt+tcp://h?pasword=000000', '"pasword"'],
    ['zvt+tcp://h?currency=EUR&currency=CHF', '"currency"'],
    ['zvt+tcp://h?password=12345', 'password'],
    ['zvt+tcp://h?currency=eur', 'currency'],
    ['zvt+tcp://h?currency=ZZZ', 'currency'],
    ['zvt+tcp://h?completion=x', 'completion'],
    ['zvt+serial://', 'serial port'],
    ['zvt+serial:///dev/ttyS0?baudRate=fast', 'baudRate'],
    ['zvt+serial:///dev/ttyS0?baudRate=1', 'baudRate'],
  ])('%s is refused naming the wrong part', (url, part) => {
    expect(() => parseTerminalUrl(url)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'terminal', message: expect.stringContaining(part) }),
    );
  });

  it('never repeats the password in an error', () => {
    expect(() => parseTerminalUrl('zvt+tcp://h?password=9876543')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('9876543') }),
    );
  });
});

describe('the registry', () => {
  it('lists protocols whose examples can be read', () => {
    for (const protocol of listProtocols())
      for (const example of protocol.examples) expect(parseTerminalUrl(example).protocol).toBe(protocol.protocol);
  });

  it.each(['neo2+hid://0ACD:3810', 'neo2+serial:///dev/no-such-port'])(
    'makes a reader of %s that connects to nothing before it is started',
    async (url) => {
      const hid = createScriptedHid();
      const clock = createManualClock();
      const reader = await createTerminal(parseTerminalUrl(url), {
        terminalId: 'reader-1',
        clock,
        log: silentLog,
        loadHidLibrary: async () => hid,
      });
      expect(reader).toMatchObject({ terminalId: 'reader-1', protocol: 'NEO2' });
      expect(reader.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
      expect([hid.looks(), clock.pendingTimers()]).toEqual([0, 0]);
      await reader.stop();
    },
  );

  it.each([
    ['zvt+tcp://127.0.0.1:1', 'ZVT'],
    ['ecr17+tcp://127.0.0.1:1', 'ECR17'],
    ['ecr17+serial:///dev/no-such-port', 'ECR17'],
    ['caisse-ap+tcp://127.0.0.1:1', 'CAISSE_AP'],
  ])('makes a terminal of %s that connects to nothing before it is started', async (url, protocol) => {
    const clock = createManualClock();
    const terminal = await createTerminal(parseTerminalUrl(url), { terminalId: 'till-1', clock, log: silentLog });
    expect(terminal).toMatchObject({ terminalId: 'till-1', protocol });
    expect(terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    expect(clock.pendingTimers()).toBe(0);
    await terminal.stop();
  });
});
