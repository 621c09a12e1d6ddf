import { useTexts } from '../hooks/use-texts.ts';
import type { TextKey } from '../i18n/text-key.ts';
import styles from './section-links.module.css';

export interface SectionLinksProps {
  /** What they are links to, for those who hear the page. */
  readonly label: TextKey;
  /** Address of the page; the section's id follows it. */
  readonly page: string;
  readonly sections: readonly (readonly [id: string, label: TextKey])[];
  readonly current: string;
}

/** The parts of a page, each with an address of its own. */
export function SectionLinks({ label, page, sections, current }: SectionLinksProps) {
  const { t } = useTexts();
  return (
    <nav className={styles.sections} aria-label={t(label)}>
      {sections.map(([id, name]) => (
        <a key={id} className={styles.link} href={`#${page}/${id}`} aria-current={current === id ? 'page' : undefined}>
          {t(name)}
        </a>
      ))}
    </nav>
  );
}
