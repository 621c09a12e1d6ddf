// Builds the programs into dist/ with Vite, and the console's screen into dist/renderer. Node's own modules and native packages
// stay outside; everything else is bundled, so that a start reads a few files instead of hundreds.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const programs = [
  'main/headless',
  'main/keys',
  'main/verify-journal',
  'drivers/virtual/main',
  'test/bench/main',
  'test/bench/echo-server',
  'test/bench/bare-server',
];
const nativePackages = ['better-sqlite3', 'serialport', 'usb', 'pdfkit'];

export async function buildAll() {
  const outDir = join(root, 'dist.tmp');
  await buildPrograms(outDir);
  await buildScreen(join(outDir, 'renderer'));
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
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
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
