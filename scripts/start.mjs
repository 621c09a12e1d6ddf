// npm start: makes a fresh clone ready and starts the till: with its window where Electron is there, otherwise with the console in the browser.
import { electronRuntime } from './electron-runtime.mjs';
import { launch, launchProgram } from './launch.mjs';
import { openBrowser } from './open-browser.mjs';
import { say, setUp } from './setup.mjs';

const args = process.argv.slice(2);
const withoutWindow = ['--headless', '--help', '-h', '--list-ports'];

await setUp();
if (args.some((arg) => withoutWindow.includes(arg))) {
  launch('main/headless', args);
} else {
  const { program, script, missing } = await electronRuntime();
  if (missing) startInBrowser(missing);
  else
    launchProgram(program, [script, ...args], {
      onFailure: (what) => startInBrowser(`Electron does not run here: ${what}`),
    });
}

function startInBrowser(why) {
  say(`No window of its own (${why}); the console opens in the browser.`);
  launch('main/headless', args, {
    onReady: async ({ consoleUrl }) => {
      if (!(await openBrowser(consoleUrl))) say(`Open the console: ${consoleUrl}`);
    },
  });
}
