import { Group, Stack, Text } from '@mantine/core';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { type ErrorCode, errorCodes } from '../../../app/contract/errors.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { adviceTextKey, errorTextKey } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { RequestState } from './request-words.tsx';

/** What happened, and what the developer of the POS does about it. */
export function RequestDetail({ entry }: { readonly entry: RequestView }) {
  const { t } = useTexts();
  const time = useLocalTime();
  const code = errorCodes.find((each): each is ErrorCode => each === entry.errorCode);
  return (
    <Stack>
      <Group>
        <RequestState entry={entry} />
        <Text className="figures">{entry.statusCode}</Text>
        <Text className="figures">{t('integrations:requests.duration', { ms: entry.durationMs })}</Text>
        <Text>{[time(entry.at), entry.clientName].filter((part) => part !== undefined).join(' · ')}</Text>
      </Group>
      {code === undefined ? null : (
        <>
          <Text size="lg">
            {code === 'UNAUTHENTICATED' ? t('integrations:requests.badKey') : t(errorTextKey(code))}
          </Text>
          <Text fw={600}>{t('integrations:requests.fix')}</Text>
          <Text>{t(adviceTextKey(code))}</Text>
          <Text className="code">{code}</Text>
        </>
      )}
      {entry.origin === undefined ? null : (
        <Text>
          {t('integrations:requests.page')}: {entry.origin}
        </Text>
      )}
      <Text className="code">
        {t('integrations:requests.id')}: {entry.requestId}
      </Text>
    </Stack>
  );
}
