import { useEffect, useState } from 'react';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { useTexts } from '../../hooks/use-texts.ts';

/** Milliseconds between two ticks of the countdown. */
const tickMs = 500;

/** When the terminal is asked next, counted down; nothing for what only a person can answer. Screen readers are not told each second. */
export function NextTry({ task }: { readonly task: Pick<RecoveryTaskView, 'state' | 'nextAttemptAt'> }) {
  const { t } = useTexts();
  const { state, nextAttemptAt } = task;
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isCounting = state === 'ASKING' && nextAttemptAt !== undefined;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isCounting]);
  if (state !== 'ASKING') return null;
  const leftSeconds = nextAttemptAt === undefined ? undefined : Math.ceil((Date.parse(nextAttemptAt) - nowMs) / 1000);
  const text =
    leftSeconds === undefined
      ? t('attention:nextTry.waits')
      : leftSeconds <= 0
        ? t('attention:nextTry.now')
        : t('attention:nextTry.in', { count: leftSeconds });
  return (
    <span role="timer" aria-live="off" className="figures">
      {text}
    </span>
  );
}
