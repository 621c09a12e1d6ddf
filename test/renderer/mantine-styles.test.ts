import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

const renderer = join(projectRoot, 'renderer');
const mantine = join(projectRoot, 'node_modules/@mantine/core');

/** What the pages import from Mantine. */
function usedParts(): ReadonlySet<string> {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const imports = files.flatMap((name) => [
    ...readFileSync(join(renderer, name), 'utf8').matchAll(/^import \{([^}]*)\} from '@mantine\/core';/gm),
  ]);
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return new Set(names.filter((name) => /^[A-Z][a-zA-Z]+$/.test(name)));
}

/** Name of a part → the file that it is exported from. */
function exportedFrom(): ReadonlyMap<string, string> {
  const index = readFileSync(join(mantine, 'esm/index.mjs'), 'utf8');
  const lines = [...index.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)];
  return new Map(lines.flatMap(([, list = '', file = '']) => list.split(',').map((name) => [name.trim(), file])));
}

/** Names of the styles of a file and of everything that it imports. */
function stylesUnder(file: string, found: Set<string>, seen: Set<string>): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  const style = /(\w+)\.module\.mjs$/.exec(file)?.[1];
  if (style !== undefined) found.add(style);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:import|from)\s*"(\.[^"]+)"/g)) {
    stylesUnder(resolve(dirname(file), path), found, seen);
  }
}

it('loads the styles of just those parts of Mantine that the pages use', () => {
  const files = exportedFrom();
  const needed = new Set<string>();
  const seen = new Set<string>();
  for (const part of usedParts()) {
    stylesUnder(join(mantine, 'esm', files.get(part) ?? `${part} is not exported`), needed, seen);
  }
  const list = readFileSync(join(renderer, 'frame/mantine-styles.ts'), 'utf8');
  const loaded = [...list.matchAll(/styles\/([A-Z]\w+)\.layer\.css/g)].map(([, name]) => name);
  expect(needed.size).toBeGreaterThan(20);
  expect(loaded.sort()).toEqual([...needed].sort());
});
