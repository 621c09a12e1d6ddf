import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './settings-page.module.css';
import { settingsSections } from './settings-sections.ts';

/** What the shop settles once: its name, its people, its rules. Each part is saved by itself. */
export function SettingsPage() {
  const { t } = useTexts();
  const api = useConsole();
  const { signedIn } = useSession();
  const query = useQuery({ queryKey: ['settings.read'], queryFn: () => api.call('settings.read', {}) });
  const settings = query.data;
  if (settings === undefined) {
    return query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <LoadingState />;
  }
  return (
    <div className={styles.page}>
      <Title order={1}>{t('settings:navigation')}</Title>
      {settingsSections
        .filter(({ roles }) => roles.includes(signedIn.role))
        .map(({ name, section: Section }) => (
          <Section key={name} settings={settings} />
        ))}
    </div>
  );
}
