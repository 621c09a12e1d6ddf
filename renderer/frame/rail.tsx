import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSession } from '../hooks/use-session.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { type ConsolePage, pagesFor } from './pages.ts';
import styles from './rail.module.css';

/** Icon and word for each page, most used first; a bar at the bottom of a narrow screen. */
export function Rail({ isInert }: { readonly isInert: boolean }) {
  const { t } = useTexts();
  const { signedIn } = useSession();
  return (
    <nav className={styles.rail} aria-label={t('common:pages')} inert={isInert}>
      {pagesFor(signedIn.role).map((page) => (
        <RailLink key={page.href} page={page} />
      ))}
    </nav>
  );
}

const noCount = () => 0;

function RailLink({ page }: { readonly page: ConsolePage }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const useCount = page.useCount ?? noCount;
  const count = useCount();
  const isCurrent = pathname === page.href || pathname.startsWith(`${page.href}/`);
  const Icon = page.icon;
  return (
    <a
      className={styles.link}
      href={`#${page.href}`}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void navigate({ to: page.href });
      }}
    >
      <span className={styles.icon}>
        <Icon size={26} stroke={1.75} aria-hidden />
        {count > 0 ? <span className={styles.count}>{count > 99 ? '99+' : count}</span> : null}
      </span>
      <span className={styles.word}>{t(page.label)}</span>
    </a>
  );
}
