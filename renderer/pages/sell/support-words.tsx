import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './panel.module.css';

/** Whom to call when nobody at the till can tell; nothing where the shop has named no one. */
export function SupportWords() {
  const { t } = useTexts();
  const { name, phone, email } = useSession().supportContact;
  if (name === undefined && phone === undefined && email === undefined) return null;
  return (
    <p className={styles.detail}>
      {t('sell:callSupport')} {[name, phone, email].filter((part) => part !== undefined).join(' · ')}
    </p>
  );
}
