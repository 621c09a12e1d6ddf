// npm run screenshots: makes a fresh clone ready, finds a browser, and takes pictures of every page of the console into screenshots/.
import { ensureBrowser } from './browser.mjs';
import { launch } from './launch.mjs';
import { setUp } from './setup.mjs';

await setUp();
const browser = await ensureBrowser();
if (!browser) process.exit(1);
process.env.CHROMIUM_PATH = browser;
launch('test/screenshots/main', process.argv.slice(2));
