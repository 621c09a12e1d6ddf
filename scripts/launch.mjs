// Starts a built program as a child that shares this terminal, hands signals on, and ends with its exit code.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

export function launch(program, args) {
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', `${program}.js`), ...args], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  child.on('error', (error) => {
    process.stderr.write(`${program} could not be started: ${error.message}\n`);
    process.exit(1);
  });
}
