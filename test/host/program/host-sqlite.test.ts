import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../support/processes.ts';
import { projectRoot } from '../../support/project-root.ts';
import { sqliteDatabases } from '../test-databases.ts';
import { failing, hostBattery } from './host-battery.ts';
import { hostPrograms } from './host-program.ts';

describe('the host program on SQLite', () => hostBattery(sqliteDatabases()));

describe('the command line of the host', () => {
  const programs = hostPrograms();

  it.each([
    [['--port', '70000'], '--port must be a port number'],
    [['--prot', '1'], '--prot'],
    [['--database', 'mysql://x/y'], '--database must be sqlite:FILE or postgres://'],
    [['--nats', 'http://127.0.0.1:4222'], '--nats must be nats://HOST:PORT or tls://HOST:PORT'],
    [['--nats', 'nats://127.0.0.1:4222,amqp://127.0.0.1'], '--nats must be nats://HOST:PORT or tls://HOST:PORT'],
    [['--acquirer', 'bank'], '--acquirer must be simulator or iso8583://'],
    [['--acquirer', 'iso8583://127.0.0.1:9000'], 'acquirerId='],
    [['admin', 'merchants', 'burn'], 'There is no such admin command'],
    [['admin', 'merchants', 'add'], 'merchants add needs --name'],
    [['admin', 'keys', 'list', '--merchants', 'M'], '--merchants'],
  ])('refuses %j and says why', async (args, words) => {
    expect(await failing([...args, '--data-dir', programs.dataDir()])).toContain(words);
  });

  it.each(['postgres://till:hunter2@db.example/till', 'postgresql://db.example/till?user=till&password=hunter2'])(
    'takes no password from the command line, and does not repeat it: %s',
    async (database) => {
      for (const args of [[], ['admin', 'merchants', 'list']]) {
        const errors = await failing([...args, '--database', database]);
        expect(errors).toContain('TILL_HOST_DATABASE_URL');
        expect(errors).toContain('TILL_HOST_DATABASE_URL_FILE');
        expect(errors).not.toContain('hunter2');
      }
    },
  );

  it.each([
    'nats://till:hunter2@nats.example',
    'tls://hunter2@nats.example:4222',
    'nats://a.example,nats://x:hunter2@b.example',
  ])('takes no secret of NATS from the command line, and does not repeat it: %s', async (nats) => {
    const errors = await failing(['--nats', nats, '--data-dir', programs.dataDir()]);
    expect(errors).toContain('TILL_HOST_NATS_URL_FILE');
    expect(errors).not.toContain('hunter2');
  });

  it('passes no calls to other hosts where its database is its own, whoever says where NATS is', async () => {
    const dataDir = programs.dataDir();
    const words = 'several hosts on one database need PostgreSQL';
    expect(await failing(['--nats', 'nats://127.0.0.1:4222', '--data-dir', dataDir])).toContain(words);
    const told = programs.start(['--data-dir', dataDir], { TILL_HOST_NATS_URL: 'nats://127.0.0.1:4222' });
    await expect(told).rejects.toThrow(words);
    // Refused before anything was opened: it has left no database and no simulator behind.
    expect(existsSync(dataDir)).toBe(false);
  });

  it('names its options and its admin commands', async () => {
    const help = await runProgram('host/main', ['--help']);
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('TILL_HOST_SECRET_FILE')]);
    const admin = await runProgram('host/main', ['admin', '--help']);
    expect([admin.code, admin.output]).toEqual([
      0,
      expect.stringContaining('pairing-codes add --merchant ID --terminal ID'),
    ]);
  });

  it('names the port that is taken, and who has it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const starting = programs.start(['--data-dir', programs.dataDir(), '--port', String(port)]);
    await expect(starting).rejects.toThrow(`Port ${port} is in use by`);
    await new Promise((resolve) => server.close(resolve));
  });

  it('lets one host have a SQLite database, and names the process that has it', async () => {
    const dataDir = programs.dataDir();
    const first = await programs.start(['--data-dir', dataDir]);
    await expect(programs.start(['--data-dir', dataDir])).rejects.toThrow(`another host (process ${first.ready.pid})`);
    first.kill('SIGKILL');
    await first.ended;
    const second = await programs.start(['--data-dir', dataDir]);
    expect(second.ready.database).toBe(`sqlite:${join(dataDir, 'host.db')}`);
  });

  it('makes its secret once, for its owner only, or takes that of a file', async () => {
    const dataDir = programs.dataDir();
    const first = await programs.start(['--data-dir', dataDir]);
    const path = join(dataDir, 'host-secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const secret = readFileSync(path, 'utf8');
    first.kill('SIGTERM');
    await first.ended;
    const file = join(dataDir, 'other-secret');
    writeFileSync(file, secret);
    const second = await programs.start(['--data-dir', dataDir], { TILL_HOST_SECRET_FILE: file });
    second.kill('SIGTERM');
    await second.ended;
    expect(readFileSync(path, 'utf8')).toBe(secret);
    const short = programs.start(['--data-dir', dataDir], { TILL_HOST_SECRET: 'short' });
    await expect(short).rejects.toThrow('at least 32 characters');
    const missing = programs.start(['--data-dir', dataDir], { TILL_HOST_SECRET_FILE: join(dataDir, 'none') });
    await expect(missing).rejects.toThrow('cannot be read');
  });

  it('ends when its standard input ends, for who starts it so', async () => {
    const program = join(projectRoot, 'dist', 'host', 'main.js');
    const args = ['--port', '0', '--data-dir', programs.dataDir(), '--acquirer', 'iso8583://127.0.0.1:9?acquirerId=1'];
    const child = spawn(process.execPath, [program, ...args, '--until-input-ends'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});
