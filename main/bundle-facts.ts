import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { arch, cpus, freemem, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { readStoredSettings } from '../app/config/settings.ts';
import { safeText } from '../app/logs/bundle/safe-text.ts';
import { terminalFacts } from '../app/logs/bundle/terminal-facts.ts';
import { programVersion } from '../app/programs/program-version.ts';
import { listReaders, listSerialPorts, parseTerminalUrl, type TerminalAddress } from '../drivers/registry.ts';

/** This machine and the data folder. */
export function environment(dataDir: string) {
  const disk = statfsSync(dataDir);
  const files = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name: safeText(name), byteCount: statSync(join(dataDir, name)).size }));
  return {
    ...{
      program: programVersion(),
      node: process.versions.node,
      platform: platform(),
      release: release(),
      arch: arch(),
    },
    ...{ processors: cpus().length, memoryMb: megabytes(totalmem()), freeMemoryMb: megabytes(freemem()) },
    upHours: Math.round(uptime() / 3600),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    diskFreeMb: megabytes(disk.bavail * disk.bsize),
    files,
  };
}

/** Rounded: a long row of digits could be taken for a card number. */
function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** Fields by name; a terminal's address without its parameters, where the password stands. */
export function settingsFacts(dataDir: string) {
  const stored = readStoredSettings(dataDir);
  const { merchantName, timeZone, dayCutOff, port, consolePort, language, lockAfterSeconds } = stored;
  return {
    ...(merchantName === undefined ? {} : { merchantName: safeText(merchantName) }),
    ...{ timeZone, dayCutOff, port, consolePort, language, lockAfterSeconds },
    refundApprovalAboveMinor: stored.refundApprovalAboveMinor,
    allowedOrigins: (stored.allowedOrigins ?? []).map(safeText),
    terminals: (stored.terminals ?? []).map(({ terminalId, url }) => {
      const { protocol, line, currency } = parseTerminalUrl(url);
      return { terminalId: safeText(terminalId), protocol, line: line.kind, ...placeOf(line), currency };
    }),
  };
}

function placeOf(line: TerminalAddress['line']) {
  switch (line.kind) {
    case 'TCP':
      return { host: safeText(line.host), port: line.port };
    case 'SERIAL':
      return { path: safeText(line.path), baudRate: line.baudRate };
    case 'HID': {
      const { vendorId, productId, serialNumber } = line;
      return { vendorId, productId, ...(serialNumber === undefined ? {} : { serialNumber: safeText(serialNumber) }) };
    }
  }
}

/** What the machine's serial ports and USB card readers say of themselves. */
export async function devices() {
  const [ports, { readers, problem }] = await Promise.all([listSerialPorts(), listReaders()]);
  return {
    serialPorts: ports.map(({ path, manufacturer = '', vendorId, productId }) => ({
      path: safeText(path),
      manufacturer: safeText(manufacturer),
      ...{ vendorId, productId },
    })),
    readers: readers.map(({ url, description = '' }) => ({ url: safeText(url), description: safeText(description) })),
    ...(problem === undefined ? {} : { readersProblem: safeText(problem) }),
  };
}

/** How the terminals were when the running till had the bundle made. @param path file that the till wrote */
export function liveTerminals(path: string): readonly object[] {
  const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return Array.isArray(written) ? written.map(terminalFacts) : [];
}
