import { type ParseArgsConfig, parseArgs } from 'node:util';
import { dataDirOf, hostDataDir } from '../../app/programs/data-dir.ts';
import { nodeClock, nodeIds } from '../../app/programs/node-ports.ts';
import { databaseOf, databaseOptions, parsed, UsageError } from '../program/options.ts';
import { databaseUrl, type Environment, openHmac, requireSameSecret } from '../program/secrets.ts';
import { openHostStore } from '../storage/open-host-store.ts';
import type { AdminCommand, AdminResult } from './admin-command.ts';
import { adminCommands } from './commands.ts';

const adminUsage = `Usage: npm run host -- admin COMMAND [options]

${Object.entries(adminCommands)
  .map(([words, { usage, summary }]) => `  ${`${words} ${usage}`.trim()}\n      ${summary}`)
  .join('\n')}

Each takes --database URL and --data-dir DIR (or TILL_HOST_DATABASE_URL) as the host does, and --json.
They work while hosts run. Keys and codes are shown once; only their hashes are kept.`;

/** Writes a piece of the output; resolves when it is out. */
type Write = (text: string) => Promise<void>;

/** Runs one admin command. @throws UsageError, BridgeError */
export async function runAdmin(args: readonly string[], environment: Environment, write: Write): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return await write(`${adminUsage}\n`);
  const { words, command, rest } = commandOf(args);
  const { values, flags } = readValues(words, command, rest);
  const dataDir = dataDirOf(values['data-dir'], hostDataDir);
  const { database } = databaseOf(values);
  const store = await openHostStore({
    database: databaseUrl(environment, database, dataDir),
    nowMs: nodeClock.nowMs(),
  });
  try {
    const context = {
      ...{ store, clock: nodeClock, ids: nodeIds },
      async openHmac() {
        const hmac = openHmac(environment, dataDir, nodeIds);
        await requireSameSecret(store, hmac, nodeClock.nowMs());
        return hmac;
      },
    };
    const result = await command.run(context, values, flags);
    if (isText(result)) for await (const piece of result) await write(piece);
    else await write(`${flags.has('json') ? JSON.stringify(result) : written(result)}\n`);
  } finally {
    await store.close();
  }
}

function commandOf(args: readonly string[]): { words: string; command: AdminCommand; rest: readonly string[] } {
  for (const count of [2, 1]) {
    const words = args.slice(0, count).join(' ');
    const command = Object.hasOwn(adminCommands, words) ? adminCommands[words] : undefined;
    if (command !== undefined) return { words, command, rest: args.slice(count) };
  }
  throw new UsageError(`There is no such admin command.\n\n${adminUsage}`);
}

function readValues(words: string, command: AdminCommand, args: readonly string[]) {
  const named = [...command.required, ...(command.optional ?? [])];
  const options: NonNullable<ParseArgsConfig['options']> = {
    ...databaseOptions,
    ...Object.fromEntries(named.map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(['json', ...(command.flags ?? [])].map((name) => [name, { type: 'boolean' }])),
  };
  const given = Object.entries(parsed(() => parseArgs({ args: [...args], strict: true, options })).values);
  const values: Record<string, string> = {};
  for (const [name, value] of given) if (typeof value === 'string') values[name] = value;
  const absent = command.required.find((name) => values[name] === undefined);
  if (absent !== undefined) throw new UsageError(`${words} needs --${absent}: ${words} ${command.usage}`);
  return { values, flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))) };
}

/** For people: `name: value` lines of one thing, a table with tabs of a list. */
function written(result: Exclude<AdminResult, AsyncIterable<string>>): string {
  if (!isList(result)) {
    const shown = Object.entries(result).filter(([, value]) => value !== undefined);
    return shown.map(([name, value]) => `${name}: ${value}`).join('\n');
  }
  const [first] = result;
  if (first === undefined) return 'none';
  const columns = Object.keys(first);
  return [columns, ...result.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function isText(result: AdminResult): result is AsyncIterable<string> {
  return Symbol.asyncIterator in result;
}

function isList(result: AdminResult): result is readonly Readonly<Record<string, string | number | undefined>>[] {
  return Array.isArray(result);
}
