// Builds the programs into dist/ with Vite, and the console's screen into dist/renderer. Node's own modules and native packages
// stay outside; everything else is bundled, so that a start reads a few files instead of hundreds.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const programs = [
  'main/headless',
  'main/index',
  'main/keys',
  'main/pair',
  'main/detect',
  'main/verify-journal',
  'main/support-bundle',
  'drivers/virtual/main',
  'host/main',
  'host/simulator/main',
  'test/electron/double/electron',
  'test/crash/host-child',
  'test/crash/kills/main',
  'test/bench/main',
  'test/bench/echo-server',
  'test/bench/bare-server',
  'test/bench/host-under-load',
  'test/bench/link-server',
  'test/screenshots/main',
];
// Loaded as they are: native parts, the shell's own runtime, and what reads files beside itself (fonts; the benchmark's browser driver).
const nativePackages = ['better-sqlite3', 'electron', 'node-hid', 'pdfkit', 'playwright-core', 'serialport', 'usb'];

export async function buildAll() {
  const outDir = join(root, 'dist.tmp');
  await buildPrograms(outDir);
  await buildPreload(join(outDir, 'main', 'preload'));
  cpSync(join(root, 'main', 'icons'), join(outDir, 'main', 'icons'), { recursive: true });
  await buildScreen(join(outDir, 'renderer'));
  packFiles(join(outDir, 'renderer'));
  // The new build takes its place at once: a start never meets half of it.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(outDir, join(root, 'dist'));
}

async function buildPrograms(outDir) {
  const { build } = await import('vite');
  const input = Object.fromEntries(
    programs.filter((name) => existsSync(join(root, `${name}.ts`))).map((name) => [name, join(root, `${name}.ts`)]),
  );
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: nativePackages },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rollupOptions: {
        input,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames },
      },
    },
  });
}

/** What only tests and benchmarks share lies with them: the desktop program packs the rest. */
function chunkFileNames({ moduleIds }) {
  const isOfTests = moduleIds.some((id) => id.startsWith(join(root, 'test')));
  return `${isOfTests ? 'test/' : ''}chunks/[name]-[hash].js`;
}

/** What the shell puts into its page: one file that needs nothing but Electron, since a sandboxed preload can load nothing else. */
async function buildPreload(outDir) {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      rollupOptions: {
        input: join(root, 'main', 'preload', 'index.ts'),
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  });
}

/** The operator console as the browser loads it: files of its own origin only, no inline script (the page's policy forbids them). */
async function buildScreen(outDir) {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    root: join(root, 'renderer'),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      sourcemap: true,
      // Nothing becomes a data: address in a script or style; a policy could not tell it from a planted one.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2_000,
    },
  });
}

const packed = /\.(js|css|html|svg|json)$/;
/** Below, a packed file saves less than its headers cost. */
const minPackedBytes = 1024;

/** Lays a brotli and a gzip twin beside each text file of the screen that becomes smaller by it. */
function packFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !packed.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < minPackedBytes) continue;
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    const gzip = gzipSync(bytes, { level: 9 });
    if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
    if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip);
  }
}
