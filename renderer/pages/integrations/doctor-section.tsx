import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Diagnosis } from '../../../app/contract/console/integrations.ts';
import { readOrigin } from '../../../app/domain/web-origin.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { type Translate, useTexts } from '../../hooks/use-texts.ts';
import { CopyBlock } from './copy-block.tsx';
import styles from './integrations.module.css';
import { useOriginChange } from './origins-section.tsx';
import { problemKeys } from './problem-keys.ts';

/** Milliseconds that two clocks may be apart: the till answers within a part of it. */
const maxSkewMs = 5_000;
/** The newer names beside the older one, which they replace: each browser takes those it knows. */
const frameExample =
  '<iframe src="https://pos.example" allow="local-network-access; loopback-network; local-network"></iframe>';

interface Finding {
  readonly isGood: boolean;
  readonly text: string;
}

/** Why a web POS does not reach the till, and what to do about it in each browser. */
export function DoctorSection({ posUrl }: { readonly posUrl: string }) {
  const { t } = useTexts();
  const api = useConsole();
  const time = useLocalTime();
  const refusal = useRefusalText();
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
  const allow = useOriginChange(start);
  const page = check.data?.found.origin;
  return (
    <Stack>
      <Text>{t('integrations:doctor.text')}</Text>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <TextInput
          label={t('integrations:origins.label')}
          description={t('integrations:origins.hint')}
          value={text}
          maxLength={200}
          error={isTried && 'problem' in reading ? t(problemKeys[reading.problem]) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label={t('integrations:doctor.address')}
          value={address}
          maxLength={200}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" loading={check.isPending}>
          {t('integrations:doctor.check')}
        </Button>
      </form>
      {check.error === null ? null : <Alert color="red">{refusal(check.error).sentence}</Alert>}
      {check.data === undefined ? null : (
        <ul className={styles.list} aria-live="polite">
          {findingsOf(check.data.found, check.data.skewMs, posUrl, t, time).map((finding) => (
            <li key={finding.text}>
              <Text>{finding.text}</Text>
              <StatusBadge tone={finding.isGood ? 'GOOD' : 'WARN'}>
                {finding.isGood ? t('integrations:doctor.good') : t('integrations:doctor.bad')}
              </StatusBadge>
            </li>
          ))}
        </ul>
      )}
      {page === undefined || page.isAllowed ? null : (
        <Button loading={allow.isBusy} onClick={() => allow.start({ kind: 'ALLOW', origin: page.origin })}>
          {`${t('integrations:origins.allow')}: ${page.origin}`}
        </Button>
      )}
      {allow.error === null ? null : <Alert color="red">{refusal(allow.error).sentence}</Alert>}
      <Title order={2}>{t('integrations:doctor.browsers')}</Title>
      <Text c="dimmed">{t('integrations:doctor.asOf')}</Text>
      <Title order={3}>Chrome</Title>
      <Text>{t('integrations:doctor.chrome')}</Text>
      <Title order={3}>Edge</Title>
      <Text>{t('integrations:doctor.edge')}</Text>
      <Title order={3}>Firefox</Title>
      <Text>{t('integrations:doctor.firefox')}</Text>
      <Text>{t('integrations:doctor.secure')}</Text>
      <Text>{t('integrations:doctor.frame')}</Text>
      <CopyBlock label="iframe" text={frameExample} />
      <ConfirmWithPin {...allow.dialog} title={t('integrations:origins.approve')} />
    </Stack>
  );
}

function findingsOf(
  found: Diagnosis,
  skewMs: number,
  posUrl: string,
  t: Translate,
  time: (iso: string) => string,
): readonly Finding[] {
  const { port, origin, lastSeen } = found;
  const isPortOwn = port.own === port.called;
  const isHostGood = found.host.statusCode === 200;
  const portText = isPortOwn
    ? t('integrations:doctor.portOwn', { port: port.own })
    : port.holder === undefined
      ? t('integrations:doctor.portNobody', { port: port.called, own: port.own })
      : t('integrations:doctor.portOther', { port: port.called, own: port.own, holder: port.holder });
  const one = (isGood: boolean, good: string, bad: string): Finding => ({ isGood, text: isGood ? good : bad });
  const findings: (Finding | undefined)[] = [
    { isGood: isPortOwn, text: portText },
    found.isEncryptedAddress ? { isGood: false, text: t('integrations:doctor.encrypted', { url: posUrl }) } : undefined,
    one(isHostGood, t('integrations:doctor.hostGood'), t('integrations:doctor.hostBad', { url: posUrl })),
    origin === undefined
      ? undefined
      : one(
          origin.isAllowed,
          t('integrations:doctor.originGood', { origin: origin.origin }),
          t('integrations:doctor.originBad', { origin: origin.origin }),
        ),
    one(found.preflight?.statusCode === 204, t('integrations:doctor.corsGood'), t('integrations:doctor.corsBad')),
    one(found.webSocket?.statusCode === 101, t('integrations:doctor.socketGood'), t('integrations:doctor.socketBad')),
    lastSeen === undefined
      ? { isGood: false, text: t('integrations:doctor.seenNever') }
      : one(
          lastSeen.statusCode < 400,
          t('integrations:doctor.seenGood', { time: time(lastSeen.at) }),
          t('integrations:doctor.seenBad', { time: time(lastSeen.at) }),
        ),
    one(
      skewMs <= maxSkewMs,
      t('integrations:doctor.clockGood'),
      t('integrations:doctor.clockBad', { seconds: Math.round(skewMs / 1000) }),
    ),
  ];
  return findings.filter((finding) => finding !== undefined);
}
