import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openSettings } from '../app/config/settings-store.ts';
import { BridgeError } from '../app/contract/errors.ts';
import type { HostPairing } from '../app/domain/host-pairing.ts';
import { isoOf } from '../app/domain/instant.ts';
import { dataDirOf } from '../app/programs/data-dir.ts';
import { nodeClock, nodeIds } from '../app/programs/node-ports.ts';
import { openTillSettings } from '../app/storage/open-till-settings.ts';
import { pairTerminal } from '../app/sync/pair-terminal.ts';
import { createPairings } from '../app/sync/pairings.ts';
import { parseTerminalUrl } from '../drivers/registry.ts';
import { createNodeVault } from './node-vault.ts';

const usage = `Usage: npm run pair -- [CODE] [--host URL] [--terminal ID] [--data-dir DIR]

Pairs a terminal of this till with its host: CODE is what the host's "admin pairing-codes add" shows (ten minutes, once);
left out, it is read from the input. A till that runs takes it over at once.

  --host URL      address of the host, https:// (or http:// on this machine); may be left out when it is paired anew
  --terminal ID   which terminal of the till; may be left out when its settings hold one. T1 is the one that a till is
                  given with --terminal at its start, TRAINING-1 that of a training till
  --data-dir DIR  where the till keeps its data

A till that runs in its own window is paired there, under Host.`;

class UsageError extends Error {}

/** Terminals that no settings hold: the one of --terminal, and a training till's. Which of them it is, the data folder does not tell. */
const unsetTerminals = ['T1', 'TRAINING-1'] as const;

function readOptions() {
  try {
    return parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: {
        host: { type: 'string' },
        terminal: { type: 'string' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

/** The terminals of the settings, each with its currency. */
function terminalsOf(dataDir: string): ReadonlyMap<string, string | undefined> {
  const { terminals } = openSettings(dataDir).current();
  if (terminals.length === 0) return new Map(unsetTerminals.map((terminalId) => [terminalId, undefined]));
  return new Map(terminals.map(({ terminalId, url }) => [terminalId, parseTerminalUrl(url).currency]));
}

function pickTerminal(terminals: ReadonlyMap<string, string | undefined>, named: string | undefined): string {
  const known = [...terminals.keys()];
  const [first = '', ...more] = known;
  if (named === undefined && more.length === 0) return first;
  if (named !== undefined && known.includes(named)) return named;
  throw new UsageError(`--terminal names one of the terminals of this till: ${known.join(', ')}`);
}

/** The window's vault is sealed by the machine's key store, which this program does not open. */
function requireOwnVault(vaultFolder: string): void {
  const isOfWindow = existsSync(vaultFolder) && readdirSync(vaultFolder).some((name) => name.endsWith('.safe'));
  if (!isOfWindow) return;
  throw new UsageError("This till keeps its secrets in the machine's key store: pair it in its window, under Host.");
}

async function readCode(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Pairing code: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

async function pair(): Promise<string> {
  const { values, positionals } = readOptions();
  if (values.help === true) return usage;
  const [given, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(usage);
  const dataDir = dataDirOf(values['data-dir']);
  const terminals = terminalsOf(dataDir);
  const terminalId = pickTerminal(terminals, values.terminal);
  const vaultFolder = join(dataDir, 'vault');
  requireOwnVault(vaultFolder);
  const code = given ?? (await readCode());
  const store = openTillSettings(dataDir);
  try {
    const pairings = createPairings({ store, vault: createNodeVault(vaultFolder, nodeIds) });
    const currency = terminals.get(terminalId);
    const pairing = await pairTerminal(
      { clock: nodeClock, pairings, terminalIds: [...terminals.keys()] },
      {
        ...{ terminalId, code, isOwed: store.openOutboxItems().some((item) => item.terminalId === terminalId) },
        ...(values.host === undefined ? {} : { url: values.host }),
        ...(currency === undefined ? {} : { currency }),
      },
    );
    const at = isoOf(nodeClock.nowMs());
    const text = `${terminalId} as ${pairing.terminalId} of ${pairing.merchantId}`;
    store.appendAudit({ at, actor: 'command:pair', action: 'HOST_PAIRED', subjectId: terminalId, text });
    return told(terminalId, pairing);
  } finally {
    store.close();
  }
}

function told(
  terminalId: string,
  { merchantName, merchantId, terminalName, terminalId: hostId, url }: HostPairing,
): string {
  return `${terminalId} is paired with ${url} as ${terminalName} (${hostId}) of ${merchantName} (${merchantId}).`;
}

function wordsOf(error: BridgeError): string {
  if (error.code !== 'ILLEGAL_STATE' || error.field === undefined) return error.message;
  return `${error.message}: ${error.field}. A paired terminal is paired anew as the same one only; to make it another, unpair it in the console, under Host.`;
}

try {
  process.stdout.write(`${await pair()}\n`);
} catch (error) {
  const isExpected = error instanceof UsageError;
  const text = error instanceof BridgeError ? wordsOf(error) : isExpected ? error.message : String(Object(error).stack);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
