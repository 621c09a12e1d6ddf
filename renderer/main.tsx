import './frame/mantine-styles.ts';
import './frame/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { connectConsole, lineOf } from './api/console.ts';
import { createQueries } from './frame/queries.ts';
import { createConsoleRouter } from './frame/router.tsx';
import { TextsProvider } from './frame/texts-provider.tsx';
import { adoptThemeVariables, theme } from './frame/theme.ts';
import { ConsoleContext } from './hooks/console-context.ts';
import { sessionQuery } from './hooks/use-session.ts';
import { languageStore } from './i18n/language-store.ts';
import { createTexts } from './i18n/setup.ts';
import { SaleContext } from './pages/sell/sale-context.ts';
import { createSaleController } from './pages/sell/sale-controller.ts';

async function start(root: HTMLElement): Promise<void> {
  adoptThemeVariables(document);
  const api = connectConsole(lineOf(window));
  const queries = createQueries(api);
  // Asked while the texts are being loaded: the first page needs both.
  void queries.prefetchQuery(sessionQuery(api));
  const language = languageStore(window.localStorage);
  const texts = await createTexts(language.first(navigator.languages));
  const follow = () => {
    document.documentElement.lang = texts.language;
  };
  texts.on('languageChanged', follow);
  follow();
  const sale = createSaleController({
    api,
    storage: window.sessionStorage,
    newKey: () => crypto.randomUUID(),
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={texts}>
        <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
          <QueryClientProvider client={queries}>
            <TextsProvider>
              <ConsoleContext value={api}>
                <SaleContext value={sale}>
                  <RouterProvider router={createConsoleRouter()} />
                </SaleContext>
              </ConsoleContext>
            </TextsProvider>
          </QueryClientProvider>
        </MantineProvider>
      </I18nextProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root !== null) void start(root);
