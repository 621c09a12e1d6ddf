/** A metric family as OpenMetrics text says it. */
export interface MetricFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly value: number;
  }[];
}

const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(,|$)/g;
/** Endings of the sample names of each type (OpenMetrics 1.0, section 5). */
const endings: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
};

/** Reads OpenMetrics text strictly, apart from the library that writes it. @throws Error naming the line that is none */
export function parseOpenMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith('# EOF\n') && !text.endsWith('# EOF')) throw new Error('it does not end in # EOF');
  const families = new Map<string, { type: string; help: string; samples: MetricFamily['samples'][number][] }>();
  let current = '';
  for (const line of text.trimEnd().split('\n').slice(0, -1)) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword !== undefined) {
      if (name !== current && families.has(name)) throw new Error(`the family ${name} is interrupted`);
      current = name;
      const family = families.get(name) ?? { type: 'unknown', help: '', samples: [] };
      if (keyword === 'TYPE') family.type = rest;
      if (keyword === 'HELP') family.help = rest;
      families.set(name, family);
      continue;
    }
    const sample = samplePattern.exec(line);
    const family = families.get(current);
    if (sample === null || family === undefined) throw new Error(`no sample: ${line}`);
    const [, sampleName = '', labelText = '', value = ''] = sample;
    if (!(endings[family.type] ?? []).some((ending) => sampleName === current + ending))
      throw new Error(`${sampleName} is no sample of the ${family.type} ${current}`);
    const labels = Object.fromEntries([...labelText.matchAll(labelPattern)].map(([, key, text]) => [key, text]));
    family.samples.push({ name: sampleName, labels, value: value === 'NaN' ? Number.NaN : Number(value) });
  }
  return families;
}
