import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../components/error-state.tsx';
import { LoadingState } from '../components/loading-state.tsx';
import { SessionContext, useSessionQuery } from '../hooks/use-session.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { languageStore } from '../i18n/language-store.ts';
import { isLanguage } from '../i18n/languages.ts';
import { useSale } from '../pages/sell/sale-context.ts';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { Banners } from './banners.tsx';
import styles from './frame.module.css';
import { GlobalShortcuts } from './global-shortcuts.tsx';
import { LateTruths } from './late-truths.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';
import { useTouches } from './use-touches.ts';

/** What is always there: the rail, the line above the page, the banners. Without a sign-in there is the sign-in and nothing else. */
export function Frame() {
  const { changeLanguage } = useTexts();
  const session = useSessionQuery();
  const { phase } = useSale().state;
  const { data } = session;
  const isSignedIn = data?.signedIn !== undefined;
  useTouches(isSignedIn);

  // The till's language holds until somebody chooses one at this screen.
  const tillLanguage = data?.language?.slice(0, 2);
  useEffect(() => {
    if (!isLanguage(tillLanguage) || languageStore(localStorage).isChosen()) return;
    changeLanguage(tillLanguage);
  }, [changeLanguage, tillLanguage]);

  if (data === undefined) {
    return (
      <main className={styles.alone}>
        {session.isError ? (
          <ErrorState error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <LoadingState />
        )}
      </main>
    );
  }
  const { signedIn } = data;
  if (signedIn === undefined) {
    return (
      <div className={styles.column}>
        <Banners training={data.training} />
        <main className={styles.alone}>
          <SignInPage session={data} />
        </main>
      </div>
    );
  }
  const isPaying = phase === 'RUNNING';
  return (
    <SessionContext value={{ ...data, signedIn }}>
      <div className={styles.frame}>
        <Rail isInert={isPaying} />
        <div className={styles.column}>
          <TopBar isInert={isPaying} />
          <Banners training={data.training} />
          <OfflineBanner />
          <LateTruths />
          <GlobalShortcuts isPaying={isPaying} />
          {/* While a payment runs nothing in the page may take the focus; the page itself then does, so that keys can scroll it. */}
          <main className={styles.page} {...(isPaying ? { tabIndex: 0 } : {})}>
            <Outlet />
          </main>
        </div>
      </div>
    </SessionContext>
  );
}
