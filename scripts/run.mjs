// Runs one of the other programs (keys, detect, verify-journal, virtual terminal, benchmark) after the same set-up as npm start.
import { launch } from './launch.mjs';
import { setUp } from './setup.mjs';

const [program, ...args] = process.argv.slice(2);
await setUp();
launch(program, args);
