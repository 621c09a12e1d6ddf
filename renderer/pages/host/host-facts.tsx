import type { HostLink } from '../../../app/contract/console/host.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './host.module.css';
import { notableSkewSeconds } from './host-words.ts';
import { useTipText } from './tip-text.ts';

/** What is known of a host: who, since when, what it is owed, and its clock. */
export function HostFacts({ link }: { readonly link: HostLink }) {
  const { t } = useTexts();
  const time = useLocalTime();
  const skew = useSkewText();
  const dayText = useDayText();
  const tipText = useTipText();
  const { pairing, givenUrl, lastAnswerAt, owedCount, owedSince, setAsideCount } = link;
  const { clockSkewSeconds, businessDay, isSimulated, tips } = link;
  const owed = owedCount === 0 ? t('host:owed.nothing') : t('host:owed.count', { count: owedCount });
  const aside = setAsideCount === 0 ? '' : ` · ${t('host:owed.aside', { count: setAsideCount })}`;
  const facts = [
    ...(pairing === undefined
      ? []
      : [
          [t('host:fact.shop'), `${pairing.merchantName} · ${pairing.merchantId}`],
          [t('host:fact.terminal'), `${pairing.terminalName} · ${pairing.terminalId}`],
          [t('host:fact.address'), pairing.url],
          [t('host:fact.pairedAt'), time(pairing.pairedAt)],
        ]),
    ...(givenUrl === undefined ? [] : [[t('host:fact.address'), `${givenUrl} · ${t('host:given')}`]]),
    ...(link.state === 'NOT_PAIRED' && owedCount + setAsideCount === 0
      ? []
      : [
          [t('host:fact.lastAnswer'), lastAnswerAt === undefined ? t('host:never') : time(lastAnswerAt)],
          [
            t('host:fact.owed'),
            `${owed}${owedSince === undefined ? '' : ` · ${t('host:owed.since', { time: time(owedSince) })}`}${aside}`,
          ],
        ]),
    ...(clockSkewSeconds === undefined ? [] : [[t('host:fact.clock'), skew(clockSkewSeconds)]]),
    ...(businessDay === undefined ? [] : [[t('host:fact.businessDay'), dayText(businessDay)]]),
    ...(isSimulated === true ? [[t('host:fact.acquirer'), t('host:simulated')]] : []),
    ...(tips === undefined ? [] : [[t('host:fact.tips'), tipText(tips)]]),
  ];
  if (facts.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useDayText(): (day: NonNullable<HostLink['businessDay']>) => string {
  const { t } = useTexts();
  return ({ timeZone, cutOff, isTills }) => {
    const said = t('host:businessDay.rule', { timeZone, cutOff });
    return isTills ? said : `${said} ${t('host:businessDay.differs')}`;
  };
}

function useSkewText(): (seconds: number) => string {
  const { t } = useTexts();
  return (seconds) => {
    const count = Math.round(Math.abs(seconds));
    if (count <= 1) return t('host:clock.agrees');
    const said = t(seconds > 0 ? 'host:clock.ahead' : 'host:clock.behind', { count });
    return count > notableSkewSeconds ? `${said} ${t('host:clock.advice')}` : said;
  };
}
