import { Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SectionLinks } from '../../components/section-links.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { DoctorSection } from './doctor-section.tsx';
import { FirstRequestSection } from './first-request-section.tsx';
import styles from './integrations.module.css';
import { KeysSection } from './keys-section.tsx';
import type { NewKey } from './new-key.ts';
import { OriginsSection } from './origins-section.tsx';
import { RequestsSection } from './requests-section.tsx';

const sections = [
  ['keys', 'integrations:section.keys'],
  ['first', 'integrations:section.first'],
  ['origins', 'integrations:section.origins'],
  ['requests', 'integrations:section.requests'],
  ['doctor', 'doctor:title'],
] as const;

/** Whatever a POS needs to work with this till; each part has an address of its own. */
export function IntegrationsPage() {
  const { t } = useTexts();
  const api = useConsole();
  const { section = 'keys' } = useParams({ strict: false });
  const [made, setMade] = useState<NewKey>();
  const query = useQuery({
    queryKey: ['integrations.overview'],
    queryFn: () => api.call('integrations.overview', {}),
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const { posUrl } = query.data;
  return (
    <div className={styles.page}>
      <Group justify="space-between">
        <Title order={1}>{t('integrations:title')}</Title>
        <a className={styles.link} href={`${posUrl}/docs`} target="_blank" rel="noopener noreferrer">
          {t('integrations:address.docs')}
        </a>
      </Group>
      <div>
        {t('integrations:address.api')}: {posUrl} · WebSocket: {posUrl.replace('http', 'ws')}/v1/session
      </div>
      <SectionLinks label="integrations:sections" page="/integrations" sections={sections} current={section} />
      {section === 'origins' ? <OriginsSection /> : null}
      {section === 'requests' ? <RequestsSection /> : null}
      {section === 'doctor' ? <DoctorSection posUrl={posUrl} /> : null}
      {section === 'first' ? <FirstRequestSection overview={query.data} made={made} /> : null}
      {section === 'keys' ? (
        <KeysSection
          onChanged={(changed) =>
            setMade((before) => changed.made ?? (before?.name === changed.name ? undefined : before))
          }
        />
      ) : null}
    </div>
  );
}
