import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { HostLink } from '../../../app/contract/console/host.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './host.module.css';
import { HostFacts } from './host-facts.tsx';
import { hostStateWords } from './host-words.ts';
import { PairForm } from './pair-form.tsx';
import { useHostCheck, useUnpairing } from './use-host.ts';

/** One terminal and its host: how it stands, what that means, and what can be done. Only pairing is a primary action, where it is needed or under way. */
export function HostCard({ link }: { readonly link: HostLink }) {
  const { t } = useTexts();
  const { terminalId, name, state, pairing, trouble } = link;
  const [isPairing, setIsPairing] = useState(false);
  const { badge, sentence, tone } = hostStateWords[state];
  const check = useHostCheck(terminalId);
  const mustPair = state === 'REFUSED' || state === 'TOKEN_MISSING';
  const isPaired = pairing !== undefined;
  const showsForm = isPairing || (!isPaired && link.givenUrl === undefined);
  return (
    <section className={styles.card} aria-labelledby={`host-${terminalId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`host-${terminalId}`}>
            {name ?? terminalId}
          </Title>
          <StatusBadge tone={tone}>{t(badge)}</StatusBadge>
        </Group>
        <Text fw={mustPair ? 600 : 400}>{t(sentence)}</Text>
        {state === 'OFFLINE' && trouble !== undefined ? <Text c="dimmed">{trouble}</Text> : null}
        <HostFacts link={link} />
        {showsForm ? <PairForm link={link} onDone={() => setIsPairing(false)} /> : null}
        <Group justify="flex-end">
          {isPaired ? <Unpair terminalId={terminalId} shopName={pairing.merchantName} /> : null}
          {showsForm ? null : (
            <Button variant={mustPair ? 'filled' : 'default'} size="lg" onClick={() => setIsPairing(true)}>
              {t(isPaired ? 'host:pairAgain' : 'host:pair')}
            </Button>
          )}
          {state === 'NOT_PAIRED' ? null : (
            <Button variant="default" size="lg" loading={check.isPending} onClick={() => check.mutate()}>
              {t('host:check')}
            </Button>
          )}
        </Group>
      </Stack>
    </section>
  );
}

function Unpair({ terminalId, shopName }: { readonly terminalId: string; readonly shopName: string }) {
  const { t } = useTexts();
  const refusal = useRefusalText();
  const [isAsking, setIsAsking] = useState(false);
  const unpairing = useUnpairing(terminalId, () => setIsAsking(false));
  const close = () => {
    setIsAsking(false);
    unpairing.reset();
  };
  return (
    <>
      <Button variant="default" size="lg" onClick={() => setIsAsking(true)}>
        {t('host:unpair')}
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={t('host:unpair')}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <Stack>
          <Text>{t('host:unpairText', { shop: shopName })}</Text>
          {unpairing.error === null ? null : <Alert color="red">{refusal(unpairing.error).sentence}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button loading={unpairing.isBusy} onClick={() => unpairing.start({})}>
              {t('host:unpair')}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <ConfirmWithPin {...unpairing.dialog} title={t('host:approve')} />
    </>
  );
}
