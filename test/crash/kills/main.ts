import { parseArgs } from 'node:util';
import { type ChunkResult, runKillChunk } from './kill-chunk.ts';

const usage = `Usage: npm run kills -- [--kills N] [--seed S] [--chunk N] [--shops N]

Kills till and host by SIGKILL while payment sessions, local payments and day closes run, and holds the books against each other after each.

  --kills N   kills in all (default 1000)
  --seed S    of the first shop, each next one has the next number (default: of the clock); odd ones have a reader
  --chunk N   kills of one shop (default 25)
  --shops N   shops at the same time (default 1)

What a failing shop did comes again with its seed: npm run kills -- --seed S --kills N, where N is the size of its chunk.`;

const defaults = { kills: '1000', chunk: '25', shops: '1' } as const;
const LARGEST_SEED = 1_000_000;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: defaults.kills },
    chunk: { type: 'string', default: defaults.chunk },
    shops: { type: 'string', default: defaults.shops },
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

const strikes = ({ kills }: ChunkResult) => Object.values(kills).reduce((sum, each) => sum + each, 0);

/** One shop after the other until there were enough kills, beside other lines that do the same. */
function createRun({ wanted, chunk, first }: { wanted: number; chunk: number; first: number }) {
  const results: ChunkResult[] = [];
  let next = first;
  let begun = 0;

  async function shop(seed: number, kills: number): Promise<void> {
    const say = (text: string) => process.stderr.write(`seed ${seed}: ${text}\n`);
    const result = await runKillChunk({ seed, kills, say });
    results.push(result);
    begun += strikes(result) - kills;
    const { wrong, broken } = result;
    const found =
      broken !== undefined ? 'COULD NOT BE RUN' : wrong.length > 0 ? 'THE BOOKS DISAGREE' : 'the books agree';
    const done = results.reduce((sum, each) => sum + strikes(each), 0);
    say(`${strikes(result)} kills, ${found}; ${done} of ${wanted}`);
    for (const line of [...wrong, ...(broken === undefined ? [] : [broken])]) say(line);
    const again = `npm run kills -- --seed ${seed} --kills ${kills} --chunk ${kills}`;
    if (found !== 'the books agree') say(`again with: ${again}`);
    if (strikes(result) === 0) throw new Error('no moment of a whole shop came');
  }

  return {
    async line(): Promise<void> {
      while (begun < wanted) {
        const kills = Math.min(chunk, wanted - begun);
        begun += kills;
        next += 1;
        await shop(next - 1, kills);
      }
    },
    results: () => [...results].sort((a, b) => a.seed - b.seed),
  };
}

function reportOf(results: readonly ChunkResult[], firstSeed: number) {
  const disagreeing = results.filter(({ wrong }) => wrong.length > 0);
  const broken = results.filter((result) => result.broken !== undefined);
  return {
    kills: results.reduce((sum, each) => sum + strikes(each), 0),
    ...{ firstSeed, shops: results.length, agreeing: results.length - disagreeing.length - broken.length },
    ...{ killed: sumOf(results, ({ killed }) => killed), moments: sumOf(results, ({ kills }) => kills) },
    ...{ inMidst: sumOf(results, ({ ordersKilled }) => ordersKilled), ends: sumOf(results, ({ ends }) => ends) },
    judged: results.reduce((sum, { judged }) => sum + judged, 0),
    forPerson: results.reduce((sum, { forPerson }) => sum + forPerson, 0),
    startsRepeated: results.reduce((sum, { startsRepeated }) => sum + startsRepeated, 0),
    disagreements: disagreeing.map(({ seed, wrong }) => ({ seed, wrong })),
    notRun: broken.map(({ seed, broken: why }) => ({ seed, why })),
  };
}

async function run(): Promise<boolean> {
  const [wanted, chunk] = [numberOf('kills', values.kills), numberOf('chunk', values.chunk)];
  const shops = numberOf('shops', values.shops);
  const first = values.seed === undefined ? 1 + (Date.now() % LARGEST_SEED) : numberOf('seed', values.seed);
  const { line, results } = createRun({ wanted, chunk, first });
  await Promise.all(Array.from({ length: shops }, line));
  const report = reportOf(results(), first);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  return report.agreeing === report.shops;
}

if (values.help === true) process.stdout.write(`${usage}\n`);
else process.exitCode = (await run()) ? 0 : 1;
