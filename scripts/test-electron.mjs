// npm run test:electron: the console's specs in the shell on Electron itself, where its runtime is there or can be had.
import { electronRuntime } from './electron-runtime.mjs';
import { fail, run, setUp } from './setup.mjs';

await setUp();
const { program, script, missing } = await electronRuntime();
if (missing) fail(`The shell's specs cannot run on Electron: ${missing}.`);
const specs = ['vitest', 'run', 'test/electron/console-in-shell.test.ts'];
const env = { ...process.env, TILL_ELECTRON: program, TILL_ELECTRON_SCRIPT: script };
process.exit(run('npx', ['--no-install', ...specs], { stdio: 'inherit', env }).status ?? 1);
