import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileLog } from '../../app/logs/file-log.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { createManualClock } from '../support/server-clock.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const hexDigits = '0123456789abcdef';

function word(random: SeededRandom, alphabet: string, length: number): string {
  return Array.from({ length }, () => random.pick(Array.from(alphabet))).join('');
}

/** What callers choose for the id of a request. */
function requestIdOf(random: SeededRandom): string {
  return random.pick([
    () => random.uuid(),
    () => random.uuid(),
    () => random.uuid(),
    () => `01K${word(random, crockford, 23)}`,
    () => word(random, base64url, 21),
    () => `00-${word(random, hexDigits, 32)}-${word(random, hexDigits, 16)}-01`,
    () => `POS-${random.between(1, 20)}-${random.between(1, 999_999)}`,
    () => `${random.between(1_700_000_000_000, 1_999_999_999_999)}`,
  ])();
}

/** What the systems below say of themselves. */
function reasonOf(random: SeededRandom): string {
  const address = `192.168.${random.between(0, 255)}.${random.between(1, 254)}:${random.between(1_024, 65_535)}`;
  return random.pick([
    `connect ECONNREFUSED ${address}`,
    `read ETIMEDOUT after ${random.fraction() * 90_000} ms`,
    'closed by the terminal',
    `Error: ENOSPC: no space left on device, write ${random.between(0, 2 ** 31)}`,
    `SqliteError: disk I/O error (${random.between(1, 9_999)})`,
    `sha256-${word(random, base64url, 42)}A=`,
  ]);
}

function stackOf(random: SeededRandom): string {
  const file = `file:///opt/till-bridge/dist/chunks/create-bridge-${word(random, base64url, 8)}.js`;
  const calls = Array.from({ length: 8 }, () => `    at Object.take (${file}:${random.between(1, 9_999)}:17)`);
  return ['TypeError: x is not a function', ...calls].join('\n');
}

/** Lines of a till's log, as the log itself writes them: what POS programs, terminals and the system cause, and nothing secret. */
export function tillLines(seed: number, count: number): string {
  const random = seededRandom(seed);
  const directory = mkdtempSync(join(tmpdir(), 'till-lines-'));
  const clock = createManualClock(Date.parse('2026-11-27T10:20:30.456Z'));
  const log = createFileLog({ directory, clock, level: 'debug', maxFileBytes: 2 ** 31, writeHumanLine: () => {} });
  const names = ['Till at the front door', 'Kasse Müller 3', 'café-терминал', 'POS 12'];
  for (let sequence = 0; sequence < count; sequence += 1) {
    clock.advance(random.between(1, 60_000));
    const requestId = requestIdOf(random);
    const call = { requestId, clientName: random.pick(names), method: 'POST', durationMs: random.fraction() * 90_000 };
    const transactionId = random.uuid();
    const kind = random.between(0, 19);
    if (kind === 0) log.warn('terminal cannot be connected', { terminalId: 'T1', reason: reasonOf(random) });
    else if (kind === 1) log.error('a call failed unexpectedly', { requestId, stack: stackOf(random) });
    else if (kind === 2) log.debug('terminal line', { terminalId: 'TRAINING-1', byteCount: random.between(3, 1_024) });
    else if (kind === 3) log.info('session opened', { requestId });
    else if (kind === 4) log.info('answered', { ...call, statusCode: 503, code: 'TERMINAL_UNREACHABLE' });
    else if (kind === 5) log.warn('journal.head is missing or damaged and is made anew', { sequence });
    else log.info('answered', { ...call, transactionId, route: '/v1/transaction/sale', statusCode: 200 });
  }
  log.close();
  const text = readFileSync(join(directory, 'till.log'), 'utf8');
  rmSync(directory, { recursive: true });
  return text;
}
