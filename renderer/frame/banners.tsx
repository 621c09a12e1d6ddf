import { IconPlugConnectedX, IconSchool } from '@tabler/icons-react';
import { useConnectionState } from '../hooks/console-context.ts';
import { useTexts } from '../hooks/use-texts.ts';
import styles from './banners.module.css';

/** What changes the meaning of everything on the page: no connection to the till, no real money. */
export function Banners({ training }: { readonly training: boolean }) {
  const { t } = useTexts();
  const isOffline = useConnectionState() === 'LOST';
  return (
    <>
      {training ? (
        <p className={styles.banner} data-tone="TRAINING">
          <IconSchool size={20} aria-hidden />
          {t('common:training')}
        </p>
      ) : null}
      <div role="alert">
        {isOffline ? (
          <p className={styles.banner} data-tone="OFFLINE">
            <IconPlugConnectedX size={20} aria-hidden />
            {t('common:offline.banner')}
          </p>
        ) : null}
      </div>
    </>
  );
}
