import { useCallback } from 'react';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';

/** `POST /v1/transaction/sale`, or `WS sale` for an action of a session. */
export function useRequestName(): (request: RequestView) => string {
  const { t } = useTexts();
  return useCallback(({ method, path }) => `${method} ${path ?? t('integrations:requests.unknownPath')}`, [t]);
}

/** Whether a request was answered, as word, colour and icon. */
export function RequestState({ entry }: { readonly entry: RequestView }) {
  const { t } = useTexts();
  const isRefused = entry.statusCode >= 400;
  return (
    <StatusBadge tone={isRefused ? 'WARN' : 'GOOD'}>
      {isRefused ? t('integrations:requests.refused') : t('integrations:requests.answered')}
    </StatusBadge>
  );
}
