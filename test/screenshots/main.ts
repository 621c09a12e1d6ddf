import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createShops } from '../support/console-shop.ts';
import { projectRoot } from '../support/project-root.ts';
import { openBusyShop } from './busy-shop.ts';
import { createCamera } from './camera.ts';
import { type Look, looks } from './looks.ts';
import { visitAs, walkFirstDay, walkFirstStart, walkPages, walkSignIn } from './walks.ts';

const folder = join(projectRoot, 'screenshots');
const say = (text: string) => process.stdout.write(`${text}\n`);

/** npm run screenshots [-- light german …]: pictures of every page and state of the console, by all looks or by those that are named. */
async function takePictures(wanted: readonly Look[]): Promise<readonly string[]> {
  const missed: string[] = [];
  const shops = createShops();
  const cameras = wanted.map((look) => {
    rmSync(join(folder, look.name), { recursive: true, force: true });
    const ownMisses: string[] = [];
    const camera = createCamera(join(folder, look.name), ownMisses);
    return { look, camera, tellMisses: () => missed.push(...ownMisses.map((miss) => `${look.name}/${miss}`)) };
  });
  try {
    const { shop, close } = await openBusyShop(shops);
    for (const { look, camera } of cameras) {
      const window = await visitAs(shops, shop, look);
      if (look.extent === 'ALL') await walkSignIn(window.visit, camera);
      await walkPages(window.visit, camera, look.extent);
      await window.close();
      say(`${look.name}: pages of a busy shop`);
    }
    await shops.close();
    await close();
    for (const { look, camera, tellMisses } of cameras) {
      if (look.extent === 'ALL') {
        await walkFirstStart(shops, look, camera);
        await walkFirstDay(shops, look, camera);
        await shops.close();
        say(`${look.name}: a till on its first day`);
      }
      tellMisses();
    }
  } finally {
    await shops.close();
    await shops.end();
  }
  return missed;
}

const named = process.argv.slice(2);
const missed = await takePictures(looks.filter(({ name }) => named.length === 0 || named.includes(name)));
say(`The pictures are in ${folder}`);
for (const miss of missed) say(`not taken: ${miss}`);
process.exit(missed.length === 0 ? 0 : 1);
