import { IconCloudOff } from '@tabler/icons-react';
import { useOfflineSales } from '../hooks/use-offline-sales.ts';
import { useOfflineWords } from '../hooks/use-offline-words.ts';
import styles from './banners.module.css';

/** Sales that wait for their issuer, and a host that does not answer: what is taken meanwhile, and what to do (decisions section 7). */
export function OfflineBanner() {
  const view = useOfflineSales();
  const wordsOf = useOfflineWords();
  const isShown = view !== undefined && (view.count > 0 || view.unreached.length > 0);
  return (
    <div role="status">
      {isShown ? (
        <p className={styles.banner} data-tone={view.isLate || view.unreached.length > 0 ? 'WARN' : 'INFO'}>
          <IconCloudOff size={20} aria-hidden className={styles.icon} />
          <span>{sentencesOf(wordsOf(view)).join(' ')}</span>
        </p>
      ) : null}
    </div>
  );
}

function sentencesOf({ waiting, unreached, advice }: ReturnType<ReturnType<typeof useOfflineWords>>): string[] {
  return [...(waiting === undefined ? [] : [waiting]), ...unreached, advice];
}
