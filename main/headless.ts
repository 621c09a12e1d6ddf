import { join } from 'node:path';
import { nodeIds } from '../app/programs/node-ports.ts';
import { startNodeProgram, startOwnedProgram } from '../app/programs/start-program.ts';
import { listReaders, listSerialPorts } from '../drivers/registry.ts';
import { explainStart } from './explain-start.ts';
import { createNodeVault } from './node-vault.ts';
import { parseOptions, usage } from './options.ts';
import { type BridgeRun, createBridgeRun, type Plan, planOf } from './run-bridge.ts';
import { runNodeProgram } from './run-program.ts';

async function start(plan: Plan): Promise<void> {
  const vault = createNodeVault(join(plan.dataDir, 'vault'), nodeIds);
  const run = await createBridgeRun(plan, {
    vault,
    startProgram: startNodeProgram,
    startOwned: startOwnedProgram,
    runProgram: runNodeProgram,
  });
  stopOnSignal(run);
  process.stdout.write(`READY ${JSON.stringify(await run.start())}\n`);
}

function stopOnSignal(run: BridgeRun): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await run.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

async function describePorts(): Promise<string> {
  const [ports, { readers, problem }] = await Promise.all([listSerialPorts(), listReaders()]);
  const lines = [
    ...ports.map((port) => [`zvt+serial://${port.path}`, port.manufacturer, port.serialNumber]),
    ...readers.map((reader) => [reader.url, reader.description]),
  ].map((parts) => parts.filter(Boolean).join('\t'));
  if (lines.length === 0)
    lines.push('This machine has no serial port and no card reader. Plug the terminal in and ask again.');
  return [...lines, ...(problem === undefined ? [] : [problem])].join('\n');
}

async function main(): Promise<void> {
  let plan: Plan | undefined;
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options.help) {
      process.stdout.write(`${usage}\n`);
      return;
    }
    if (options.listPorts) {
      process.stdout.write(`${await describePorts()}\n`);
      return;
    }
    plan = planOf(options);
    await start(plan);
  } catch (error) {
    process.stderr.write(`${await explainStart(error, plan)}\n`);
    process.exit(1);
  }
}

await main();
