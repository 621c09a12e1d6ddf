import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

let folder: string | undefined;

/** Cruises a copy of the rules over a small tree of planted files. */
function violations(files: Record<string, string>): readonly string[] {
  folder = mkdtempSync(join(tmpdir(), 'import-table-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(join(projectRoot, name), join(folder, name));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tops = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))];
  const output = cruise(folder, ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...tops]);
  const result = JSON.parse(output) as { summary: { violations: { rule: { name: string } }[]; totalCruised: number } };
  expect(result.summary.totalCruised).toBeGreaterThan(1);
  return result.summary.violations.map((violation) => violation.rule.name);
}

function cruise(cwd: string, args: readonly string[]): string {
  try {
    return execFileSync(
      process.execPath,
      [join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'), ...args],
      { cwd, encoding: 'utf8' },
    );
  } catch (error) {
    // It exits non-zero when it finds something; the report is on stdout all the same.
    return (error as { stdout: string }).stdout;
  }
}

afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('the import table', () => {
  it('refuses a planted import from contract to services', () => {
    const found = violations({
      'app/contract/a.ts': "import { b } from '../services/b.ts';\nexport const a = b;\n",
      'app/services/b.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('imports-of-app-contract');
  });

  it('refuses a type-only import across the table', () => {
    const found = violations({
      'app/domain/a.ts': "import type { B } from '../storage/b.ts';\nexport type A = B;\n",
      'app/storage/b.ts': 'export interface B {}\n',
    });
    expect(found).toContain('imports-of-app-domain');
  });

  it('refuses Node in a pure folder', () => {
    const found = violations({
      'app/domain/a.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
      'app/domain/b.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('pure-folders-use-no-node');
  });

  it('refuses a virtual terminal that uses the driver it judges', () => {
    const found = violations({
      'drivers/virtual/a.ts': "import { b } from '../zvt/session.ts';\nexport const a = b;\n",
      'drivers/zvt/session.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('virtual-terminals-share-codecs-only');
  });

  it('refuses the keys of the virtual reader outside of the virtual terminals', () => {
    const places = ['drivers/neo2/a.ts', 'drivers/neo2/codec/b.ts', 'app/services/c.ts', 'main/d.ts', 'host/e.ts'];
    const planted = places.map((path) => {
      const up = '../'.repeat(path.split('/').length - 1);
      return [path, `import { key } from '${up}drivers/virtual/neo2/crypto/key.ts';\nexport const a = key;\n`] as const;
    });
    const found = violations({
      ...Object.fromEntries(planted),
      'drivers/virtual/neo2/crypto/key.ts': 'export const key = 1;\n',
    });
    expect(found.filter((name) => name === 'only-virtual-terminals-decrypt')).toHaveLength(places.length);
  });

  it('lets the virtual reader use its own keys', () => {
    const found = violations({
      'drivers/virtual/neo2/a.ts': "import { key } from './crypto/key.ts';\nexport const a = key;\n",
      'drivers/virtual/neo2/crypto/key.ts':
        "import { createCipheriv } from 'node:crypto';\nexport const key = createCipheriv;\n",
    });
    expect(found).toEqual([]);
  });

  it('refuses ciphers in a driver', () => {
    const found = violations({
      'drivers/neo2/a.ts': "import { createDecipheriv } from 'node:crypto';\nexport const a = createDecipheriv;\n",
      'drivers/neo2/b.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('drivers-use-no-ciphers');
  });

  it('refuses an acquirer simulator that uses the host it judges', () => {
    const found = violations({
      'host/simulator/a.ts': "import { b } from '../services/b.ts';\nexport const a = b;\n",
      'host/services/b.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('acquirer-simulator-shares-contract-only');
  });

  it("refuses a rule of the host's in its judge", () => {
    const found = violations({
      'host/simulator/a.ts': "import { b } from '../../app/domain/b.ts';\nexport const a = b;\n",
      'app/domain/b.ts': 'export const b = 1;\n',
    });
    expect(found).toContain('acquirer-simulator-shares-contract-only');
  });

  it('refuses a cycle', () => {
    const found = violations({
      'app/domain/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'app/domain/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    });
    expect(found).toContain('no-cycles');
  });

  it('accepts what the table allows', () => {
    const found = violations({
      'app/services/a.ts': "import { b } from '../domain/b.ts';\nexport const a = b;\n",
      'app/domain/b.ts': 'export const b = 1;\n',
    });
    expect(found).toEqual([]);
  });
});
