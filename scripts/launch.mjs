// Starts a program as a child that shares this terminal, hands signals on, and ends with its exit code.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** A built program under Node. */
export function launch(program, args, options) {
  launchProgram(process.execPath, ['--enable-source-maps', join(root, 'dist', `${program}.js`), ...args], options);
}

/**
 * @param {{onReady?: (ready: object) => void, onFailure?: (what: string) => void}} options `onReady` is given what the READY line says;
 * `onFailure` takes over when the program ends before that for a reason that it did not explain itself (it exits with 1 when it did).
 */
export function launchProgram(command, args, { onReady, onFailure } = {}) {
  const isWatched = onReady !== undefined || onFailure !== undefined;
  const child = spawn(command, args, { stdio: ['inherit', isWatched ? 'pipe' : 'inherit', 'inherit'] });
  let isReady = false;
  if (isWatched) {
    forward(child.stdout, (ready) => {
      isReady = true;
      onReady?.(ready);
    });
  }
  const handOn = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handOn);
  const takeOver = (what) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, handOn);
    onFailure(what);
  };
  child.on('exit', (code, signal) => {
    const isExplained = code === 0 || code === 1 || signal === 'SIGTERM' || signal === 'SIGINT';
    if (onFailure && !isReady && !isExplained) takeOver(`it ended with ${code ?? signal}`);
    else process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1));
  });
  child.on('error', (error) => {
    if (onFailure) return takeOver(error.message);
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
    process.exit(1);
  });
}

/** Passes everything on as it is, and reads the READY line. */
function forward(output, onReady) {
  let text = '';
  output.on('data', (piece) => {
    process.stdout.write(piece);
    if (text === undefined) return;
    text += piece;
    const line = /^READY (.*)$/m.exec(text)?.[1];
    if (line === undefined) return;
    text = undefined;
    onReady(JSON.parse(line));
  });
}
