import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Frame } from './frame.tsx';
import { pages } from './pages.ts';
import { UnknownPage } from './unknown-page.tsx';

/** The routes are the page registry; addresses stand behind the hash, so that they work from a server and from a file alike. */
export function createConsoleRouter() {
  const root = createRootRoute({ component: Frame, notFoundComponent: UnknownPage });
  const first = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ href: pages[0]?.href ?? '/' });
    },
  });
  const routes = pages.map((page) =>
    createRoute({
      getParentRoute: () => root,
      path: page.path,
      component: lazyRouteComponent(async () => ({ default: await page.load() })),
    }),
  );
  return createRouter({
    routeTree: root.addChildren([first, ...routes]),
    history: createHashHistory(),
    defaultPreload: 'intent',
  });
}
