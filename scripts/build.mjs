// npm run build: the same set-up as every other command, and nothing more.
import { setUp } from './setup.mjs';

await setUp();
