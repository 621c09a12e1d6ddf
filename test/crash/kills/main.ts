import { parseArgs } from 'node:util';
import { type ChunkResult, runKillChunk } from './kill-chunk.ts';

const usage = `Usage: npm run kills -- [--kills N] [--seed S] [--chunk N]

Kills till and host by SIGKILL while payment sessions, local payments and day closes run, and holds the books against each other after each.

  --kills N   kills in all (default 1000)
  --seed S    of the first shop, each next one has the next number (default: of the clock); odd ones have a reader
  --chunk N   kills of one shop (default 25)

What a failing shop did comes again with its seed: npm run kills -- --seed S --kills N, where N is the size of its chunk.`;

const DEFAULT_KILLS = '1000';
const DEFAULT_CHUNK = '25';
const LARGEST_SEED = 1_000_000;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: DEFAULT_KILLS },
    chunk: { type: 'string', default: DEFAULT_CHUNK },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

function numberOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number from 1 on\n\n${usage}`);
  return Number(text);
}

function sumOf(results: readonly ChunkResult[], pick: (result: ChunkResult) => Readonly<Record<string, number>>) {
  const sums: Record<string, number> = {};
  for (const result of results) {
    for (const [name, value] of Object.entries(pick(result))) sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}

async function run(): Promise<boolean> {
  const wanted = numberOf('kills', values.kills);
  const chunk = numberOf('chunk', values.chunk);
  const first = values.seed === undefined ? 1 + (Date.now() % LARGEST_SEED) : numberOf('seed', values.seed);
  const results: ChunkResult[] = [];
  let done = 0;
  for (let seed = first; done < wanted; seed += 1) {
    const say = (text: string) => process.stderr.write(`seed ${seed}: ${text}\n`);
    const kills = Math.min(chunk, wanted - done);
    const result = await runKillChunk({ seed, kills, say });
    results.push(result);
    const struck = Object.values(result.kills).reduce((sum, each) => sum + each, 0);
    done += struck;
    say(
      `${struck} kills, ${result.wrong.length === 0 ? 'the books agree' : 'THE BOOKS DISAGREE'}; ${done} of ${wanted}`,
    );
    for (const line of result.wrong) say(line);
    if (result.wrong.length > 0) say(`again with: npm run kills -- --seed ${seed} --kills ${kills} --chunk ${chunk}`);
    if (struck === 0) throw new Error('no moment of a whole shop came');
  }
  const disagreeing = results.filter(({ wrong }) => wrong.length > 0);
  const report = {
    ...{ kills: done, firstSeed: first, shops: results.length, agreeing: results.length - disagreeing.length },
    ...{ killed: sumOf(results, ({ killed }) => killed), moments: sumOf(results, ({ kills }) => kills) },
    ...{ inMidst: sumOf(results, ({ ordersKilled }) => ordersKilled), ends: sumOf(results, ({ ends }) => ends) },
    judged: results.reduce((sum, { judged }) => sum + judged, 0),
    forPerson: results.reduce((sum, { forPerson }) => sum + forPerson, 0),
    startsRepeated: results.reduce((sum, { startsRepeated }) => sum + startsRepeated, 0),
    disagreements: disagreeing.map(({ seed, wrong }) => ({ seed, wrong })),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  return disagreeing.length === 0;
}

if (values.help === true) process.stdout.write(`${usage}\n`);
else process.exitCode = (await run()) ? 0 : 1;
