import { Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { SectionLinks } from '../../components/section-links.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { BundleSection } from './bundle-section.tsx';
import { LogSection } from './log-section.tsx';
import { StateSection } from './state-section.tsx';
import styles from './support.module.css';
import { TracesSection } from './traces-section.tsx';

const sections = [
  ['state', 'support:section.state'],
  ['log', 'support:section.log'],
  ['traces', 'support:section.traces'],
  ['bundle', 'support:section.bundle'],
] as const;

/** The till's inside, for a support person; each part has an address of its own. */
export function SupportPage() {
  const { t } = useTexts();
  const { section = 'state' } = useParams({ strict: false });
  return (
    <div className={styles.page}>
      <Title order={1}>{t('support:navigation')}</Title>
      <SectionLinks label="support:sections" page="/support" sections={sections} current={section} />
      {section === 'log' ? <LogSection /> : null}
      {section === 'traces' ? <TracesSection /> : null}
      {section === 'bundle' ? <BundleSection /> : null}
      {section === 'state' ? <StateSection /> : null}
    </div>
  );
}
