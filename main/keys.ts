import { parseArgs } from 'node:util';
import { createPosClient, type PosClientDeps, revokePosClient } from '../app/config/pos-clients.ts';
import { BridgeError } from '../app/contract/errors.ts';
import { dataDirOf } from '../app/programs/data-dir.ts';
import { nodeClock, nodeIds } from '../app/programs/node-ports.ts';
import { openPosClients } from '../app/storage/open-pos-clients.ts';

const usage = `Usage: npm run keys -- [--data-dir DIR] create NAME | list | revoke NAME

  create NAME   issues a key to the POS client NAME and shows it this once
  list          names the clients and whether their key is in force
  revoke NAME   takes the key of NAME out of force; create NAME then gives the same client a new one`;

class UsageError extends Error {}

function run(deps: PosClientDeps, command: string | undefined, name: string | undefined): string {
  if (command === 'list') return list(deps);
  if (name === undefined) throw new UsageError(usage);
  if (command === 'create') return createPosClient(deps, name).key;
  if (command === 'revoke') return `${revokePosClient(deps, name).name}: revoked`;
  throw new UsageError(usage);
}

function list(deps: PosClientDeps): string {
  const clients = deps.clients.listClients();
  if (clients.length === 0) return 'No keys yet. Create one with: npm run keys -- create NAME';
  return clients
    .map((client) => {
      const state = client.revokedAt === undefined ? 'in force' : `revoked ${client.revokedAt}`;
      return `${client.name}\tcreated ${client.createdAt}\t${state}${client.trainingOnly ? '\ttraining only' : ''}`;
    })
    .join('\n');
}

function main(): void {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: { 'data-dir': { type: 'string' } },
    });
    const [command, name, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(usage);
    // Beside a running till: it sees new and revoked keys at once.
    const clients = openPosClients(dataDirOf(values['data-dir']));
    try {
      process.stdout.write(`${run({ clients, clock: nodeClock, ids: nodeIds }, command, name)}\n`);
    } finally {
      clients.close();
    }
  } catch (error) {
    const isExpected = error instanceof BridgeError || error instanceof UsageError || error instanceof TypeError;
    process.stderr.write(`${isExpected ? (error as Error).message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

main();
