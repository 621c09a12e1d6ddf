import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { originProblemTexts } from '../../../app/domain/doctor-findings.ts';
import { readOrigin } from '../../../app/domain/web-origin.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './integrations.module.css';

type Change = { readonly kind: 'ALLOW' | 'REMOVE'; readonly origin: string };

/** Allows a page or takes it from the list; both hold at once. */
export function useOriginChange(onDone: () => void) {
  const api = useConsole();
  const queries = useQueryClient();
  return useApprovedCall({
    call({ kind, origin }: Change, approval: Approval | undefined) {
      const request = { origin, ...(approval === undefined ? {} : { approval }) };
      return kind === 'ALLOW'
        ? api.call('integrations.origins.allow', request)
        : api.call('integrations.origins.remove', request);
    },
    onSuccess(list) {
      queries.setQueryData(['integrations.origins.list'], list);
      onDone();
    },
  });
}

/** The web pages that may use the till from a browser. */
export function OriginsSection() {
  const { t } = useTexts();
  const api = useConsole();
  const refusal = useRefusalText();
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const query = useQuery({
    queryKey: ['integrations.origins.list'],
    queryFn: () => api.call('integrations.origins.list', {}),
  });
  const change = useOriginChange(() => {
    setText('');
    setIsTried(false);
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const reading = readOrigin(text);
  const problem = isTried && 'problem' in reading ? t(originProblemTexts[reading.problem]) : undefined;
  const { origins } = query.data;
  return (
    <Stack>
      <Text>{t('integrations:origins.text')}</Text>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if ('origin' in reading && !change.isBusy) change.start({ kind: 'ALLOW', origin: reading.origin });
        }}
      >
        <TextInput
          label={t('doctor:origin')}
          description={t('doctor:originHint')}
          value={text}
          error={problem}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={change.isBusy}>
          {t('integrations:origins.allow')}
        </Button>
      </form>
      {change.error === null ? null : <Alert color="red">{refusal(change.error).sentence}</Alert>}
      {origins.length === 0 ? (
        <EmptyState title={t('integrations:origins.empty')} />
      ) : (
        <ul className={styles.list}>
          {origins.map((origin) => (
            <li key={origin}>
              <Text>{origin}</Text>
              <Button
                variant="default"
                aria-label={`${t('integrations:origins.remove')}: ${origin}`}
                onClick={() => change.start({ kind: 'REMOVE', origin })}
              >
                {t('integrations:origins.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmWithPin {...change.dialog} title={t('integrations:origins.approve')} />
    </Stack>
  );
}
