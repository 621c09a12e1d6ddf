import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { clockFinding, findingsOf, originProblemTexts } from '../../../app/domain/doctor-findings.ts';
import { readOrigin } from '../../../app/domain/web-origin.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BrowserFixes } from './browser-fixes.tsx';
import { FindingList } from './finding-list.tsx';
import styles from './integrations.module.css';
import { useOriginChange } from './origins-section.tsx';
import { useRefusedPages } from './use-request-list.ts';

/** Why a web POS does not reach the till, and what to do about it in each browser. */
export function DoctorSection({ posUrl }: { readonly posUrl: string }) {
  const { t } = useTexts();
  const api = useConsole();
  const time = useLocalTime();
  const refusal = useRefusalText();
  const refusedPages = useRefusedPages();
  const [text, setText] = useState('');
  const [address, setAddress] = useState(posUrl);
  const [isTried, setIsTried] = useState(false);
  const reading = readOrigin(text);
  const check = useMutation({
    mutationFn: async (origin: string) => {
      const found = await api.call('integrations.diagnose', { origin, address });
      return { found, skewMs: Math.abs(Date.parse(found.tillTime) - Date.now()) };
    },
  });
  const start = () => {
    setIsTried(true);
    if ('origin' in reading) check.mutate(reading.origin);
  };
  const allow = useOriginChange(() => {
    const { origin } = check.data?.found ?? {};
    if (origin !== undefined) check.mutate(origin.origin);
  });
  const page = check.data?.found.origin;
  return (
    <Stack>
      <Text>{t('doctor:text')}</Text>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <TextInput
          label={t('doctor:origin')}
          description={t('doctor:originHint')}
          value={text}
          maxLength={200}
          error={isTried && 'problem' in reading ? t(originProblemTexts[reading.problem]) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label={t('doctor:address')}
          value={address}
          maxLength={200}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" loading={check.isPending}>
          {t('doctor:check')}
        </Button>
      </form>
      {refusedPages.length === 0 ? (
        <Text className={styles.line} c="dimmed">
          {t('doctor:noneRefused')}
        </Text>
      ) : (
        <Group gap="sm">
          <Text>{t('doctor:refusedPages')}:</Text>
          {refusedPages.map((origin) => (
            <Button
              key={origin}
              variant="default"
              aria-label={`${t('doctor:check')}: ${origin}`}
              onClick={() => {
                setText(origin);
                setIsTried(true);
                check.mutate(origin);
              }}
            >
              {origin}
            </Button>
          ))}
        </Group>
      )}
      {check.error === null ? null : <Alert color="red">{refusal(check.error).sentence}</Alert>}
      {check.data === undefined ? null : (
        <FindingList
          findings={[
            ...findingsOf(check.data.found, { posUrl, time, showsHolder: true }),
            clockFinding(check.data.skewMs),
          ]}
        />
      )}
      {page === undefined || page.isAllowed ? null : (
        <Group>
          <Button loading={allow.isBusy} onClick={() => allow.start({ kind: 'ALLOW', origin: page.origin })}>
            {`${t('integrations:origins.allow')}: ${page.origin}`}
          </Button>
        </Group>
      )}
      {allow.error === null ? null : <Alert color="red">{refusal(allow.error).sentence}</Alert>}
      <BrowserFixes posUrl={posUrl} />
      <ConfirmWithPin {...allow.dialog} title={t('integrations:origins.approve')} />
    </Stack>
  );
}
