import { describe, expect, it } from 'vitest';
import { parseOptions, UsageError } from '../../main/options.ts';

describe('command line of the till', () => {
  it('reads every option', () => {
    const options = parseOptions([
      '--headless',
      '--data-dir',
      '/srv/till',
      '--port',
      '9001',
      '--console-port',
      '9002',
      '--training',
      '--terminal',
      'zvt+tcp://10.0.0.5:20007',
    ]);
    expect(options).toEqual({
      headless: true,
      kiosk: false,
      training: true,
      help: false,
      listPorts: false,
      dataDir: '/srv/till',
      port: 9001,
      consolePort: 9002,
      terminal: 'zvt+tcp://10.0.0.5:20007',
    });
  });

  it('leaves out what was not said, so that stored settings stay in force', () => {
    expect(parseOptions([])).toEqual({ headless: false, kiosk: false, training: false, listPorts: false, help: false });
  });

  it.each([['70000'], ['-1'], ['abc'], ['1e3'], ['']])('refuses the port %j and names the option', (port) => {
    expect(() => parseOptions([`--port=${port}`])).toThrowError(/--port must be a port number/);
  });

  it('names an option it does not know', () => {
    expect(() => parseOptions(['--trainig'])).toThrowError(UsageError);
    expect(() => parseOptions(['--trainig'])).toThrowError(/--trainig/);
  });
});
