import { app } from 'electron';
import { registerConsoleScheme } from './electron/console-protocol.ts';
import { startShell } from './electron/shell.ts';

/** Arguments of ours begin after the program, and after the script where the runtime is not packed with it. */
const ownArguments = process.argv.slice(app.isPackaged ? 1 : 2);

app.enableSandbox();
registerConsoleScheme();
void startShell(ownArguments);
