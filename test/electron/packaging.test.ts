import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

/** Read, judged and matched by what electron-builder itself uses for it. */
const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
const ofLibrary = createRequire(ofBuilder.resolve('app-builder-lib/package.json'));
const { load } = ofLibrary('js-yaml') as { load(text: string): unknown };
const { minimatch } = ofLibrary('minimatch') as {
  minimatch(path: string, pattern: string, options: { dot: boolean }): boolean;
};

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const config = load(read('electron-builder.yml')) as {
  files: string[];
  asarUnpack: string[];
  win: object;
  mac: object;
  linux: object;
};

function filesBelow(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** The last pattern that matches decides, as in electron-builder. */
function isPacked(path: string): boolean {
  return config.files.reduce((packed, pattern) => {
    const isExclusion = pattern.startsWith('!');
    return minimatch(path, isExclusion ? pattern.slice(1) : pattern, { dot: true }) ? !isExclusion : packed;
  }, false);
}

describe('electron-builder.yml', () => {
  it('is what the schema of electron-builder takes, which is alive', () => {
    const schema = JSON.parse(readFileSync(ofLibrary.resolve('app-builder-lib/scheme.json'), 'utf8')) as object;
    const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(schema);
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...config, electronFuses: { runAsNod: false } })).toBe(false);
  });

  it('makes an installer for each system', () => {
    expect(config).toMatchObject({
      win: { target: 'nsis' },
      mac: { target: 'dmg' },
      linux: { target: ['AppImage', 'deb'] },
    });
  });

  it('packs every part of the built program that a start needs', () => {
    const built = ['dist/main', 'dist/chunks', 'dist/drivers', 'dist/host', 'dist/renderer'].flatMap(filesBelow);
    const needed = ['package.json', ...built.filter((path) => !path.endsWith('.map'))];
    expect(needed).toEqual(
      expect.arrayContaining([
        'dist/main/index.js',
        'dist/main/preload/index.cjs',
        'dist/main/icons/tray.png',
        'dist/drivers/virtual/main.js',
        'dist/host/main.js',
        'dist/host/simulator/main.js',
        'dist/renderer/index.html',
      ]),
    );
    expect(needed.filter((path) => !isPacked(path))).toEqual([]);
    expect(JSON.parse(read('package.json'))).toMatchObject({ main: 'dist/main/index.js' });
  });

  it('packs no source, no test and no document', () => {
    const others = ['app', 'docs', 'drivers', 'host', 'main', 'renderer', 'scripts', 'test', 'dist/test'].flatMap(
      filesBelow,
    );
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter(isPacked)).toEqual([]);
  });

  it('has every package that the built program loads among its dependencies, and native code outside of the archive', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const programs = filesBelow('dist').filter(
      (path) => path.endsWith('.js') && isPacked(path) && !path.startsWith('dist/renderer'),
    );
    const imported = programs.flatMap((path) =>
      [...read(path).matchAll(/^import .*?from "([^./"][^"]*)";$/gm)].map(([, name]) => name ?? ''),
    );
    const packages = new Set(imported.filter((name) => !isBuiltin(name) && name !== 'electron'));
    expect([...packages]).toEqual(expect.arrayContaining(['better-sqlite3', 'serialport']));
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
    expect(config.asarUnpack).toContain('**/*.node');
  });
});
