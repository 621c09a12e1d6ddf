// npm start: makes a fresh clone ready and starts the till.
import { launch } from './launch.mjs';
import { setUp } from './setup.mjs';

await setUp();
launch('main/headless', process.argv.slice(2));
