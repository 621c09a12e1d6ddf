import { Button, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { BatchDifference, DayReport } from '../../../app/contract/console/day.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { cardName, operationWords } from '../activity/payment-state.ts';
import styles from './differences.module.css';

const kindWords = {
  TERMINAL_ONLY: 'day:kind.terminalOnly',
  JOURNAL_ONLY: 'day:kind.journalOnly',
  VOID_ACROSS_CLOSES: 'day:kind.voidAcrossCloses',
  OUTCOME_WAS_UNKNOWN: 'day:kind.outcomeWasUnknown',
  AMOUNT_DIFFERS: 'day:kind.amountDiffers',
  COUNT_DIFFERS: 'day:kind.countDiffers',
  SCHEME_NAMED_DIFFERENTLY: 'day:kind.schemeNamedDifferently',
  TERMINAL_TOTAL: 'day:kind.terminalTotal',
  ACQUIRER_TOTAL: 'day:kind.acquirerTotal',
} as const satisfies Record<BatchDifference['kind'], string>;

/** No payment of the journal explains them. */
const unexplained: ReadonlySet<BatchDifference['kind']> = new Set([
  'SCHEME_NAMED_DIFFERENTLY',
  'TERMINAL_TOTAL',
  'ACQUIRER_TOTAL',
]);

type Candidate = BatchDifference['candidates'][number];

const reasonWords = {
  NOT_AT_TERMINAL: 'day:reason.notAtTerminal',
  COUNTED_TWICE: 'day:reason.countedTwice',
  OTHER_BATCH: 'day:reason.otherBatch',
  NOT_PAID: 'day:reason.notPaid',
  VOID_ACROSS_CLOSES: 'day:reason.voidAcrossCloses',
  WAS_UNKNOWN: 'day:reason.wasUnknown',
  TIP: 'day:reason.tip',
  CASHBACK: 'day:reason.cashback',
  VOIDED: 'day:reason.voided',
} as const satisfies Record<Candidate['reason'], string>;

/** Whether the terminal's own figures agree, and every line that does not, with what may explain it. */
export function Differences({ report }: { readonly report: DayReport }) {
  const { t } = useTexts();
  const { differences, settlement, terminalTotal, isComparedByKind = false, schemes } = report;
  const hasCards = schemes.some(({ terminal }) => terminal !== undefined);
  if (terminalTotal === undefined && !hasCards) return <Text c="dimmed">{t('day:compare.none')}</Text>;
  const basis = hasCards || isComparedByKind ? null : <Text c="dimmed">{t('day:compare.totalOnly')}</Text>;
  if (differences.length === 0) {
    return (
      <div>
        <Text>{t('day:compare.agrees')}</Text>
        {basis}
      </div>
    );
  }
  return (
    <section>
      <Title order={2} mb="sm">
        {t('day:compare.differs', { count: differences.length })}
      </Title>
      {basis}
      <ul className={styles.list}>
        {differences.map((difference) => (
          <Difference
            key={`${difference.kind} ${difference.scheme} ${difference.operation}`}
            difference={difference}
            currency={settlement.currency}
          />
        ))}
      </ul>
    </section>
  );
}

interface DifferenceProps {
  readonly difference: BatchDifference;
  readonly currency: string;
}

function Difference({ difference, currency }: DifferenceProps) {
  const { t } = useTexts();
  const money = useMoney();
  const { kind, scheme, operation, terminalScheme, journal, terminal, candidates } = difference;
  const nameOf = (one: string | undefined) =>
    one === undefined
      ? t('day:compare.allCards')
      : one === 'OTHER'
        ? t('day:otherScheme')
        : (cardName(one, undefined) ?? one);
  const amounts = { journal: money(journal.amount, currency), terminal: money(terminal.amount, currency) };
  const isCounted = journal.count !== undefined && terminal.count !== undefined;
  const mayBeExplained = !unexplained.has(kind);
  return (
    <li>
      <Text fw={600}>
        <IconAlertTriangle size={18} className={styles.sign} aria-hidden />
        {t(kindWords[kind], {
          name: operation === undefined ? nameOf(scheme) : t(operationWords[operation]),
          amount: money(Math.abs(terminal.amount - journal.amount), currency),
          terminalName: nameOf(terminalScheme),
        })}
      </Text>
      <Text c="dimmed">
        {isCounted
          ? t('day:compare.sidesCounted', {
              ...amounts,
              journalCount: journal.count ?? 0,
              terminalCount: terminal.count ?? 0,
            })
          : t(kind === 'ACQUIRER_TOTAL' ? 'day:compare.sidesAcquirer' : 'day:compare.sides', amounts)}
      </Text>
      {mayBeExplained && candidates.length === 0 ? <Text>{t('day:compare.noCandidates')}</Text> : null}
      {candidates.length === 0 ? null : (
        <ul className={styles.candidates} aria-label={t('day:compare.candidates')}>
          {candidates.map((candidate) => (
            <CandidateRow key={candidate.transactionId} candidate={candidate} currency={currency} />
          ))}
        </ul>
      )}
    </li>
  );
}

function CandidateRow({ candidate, currency }: { readonly candidate: Candidate; readonly currency: string }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const money = useMoney();
  const { transactionId, reason, type, amount, createdAt, lastFour, batchNumber } = candidate;
  const facts = [localTime(createdAt), t(operationWords[type]), money(amount, currency), cardName(undefined, lastFour)];
  return (
    <li>
      <span>
        <span className="figures">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
        <Text span c="dimmed" className={styles.reason}>
          {t(reasonWords[reason], { number: batchNumber })}
        </Text>
      </span>
      <Button
        variant="default"
        className={styles.show}
        onClick={() => void navigate({ to: `/activity/${transactionId}` })}
      >
        {t('day:open.show')}
      </Button>
    </li>
  );
}
