import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { HostLink } from '../../../app/contract/console/host.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './host.module.css';
import { usePairing } from './use-host.ts';

interface PairFormProps {
  readonly link: HostLink;
  readonly onDone: () => void;
}

/** The code that the host has shown, and where it is. The token that comes for it goes to the till's vault, not here. */
export function PairForm({ link, onDone }: PairFormProps) {
  const { t } = useTexts();
  const refusal = useRefusalText();
  const [url, setUrl] = useState(link.pairing?.url ?? '');
  const [code, setCode] = useState('');
  const pairing = usePairing(link.terminalId, onDone);
  const canPair = url.trim() !== '' && code.replace(/[\s-]/g, '').length === 8;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canPair && !pairing.isBusy) pairing.start({ url: url.trim(), code: code.trim() });
      }}
    >
      <Stack gap="md">
        <Text>{t('host:codeText')}</Text>
        <div className={styles.form}>
          <TextInput
            label={t('host:fact.address')}
            placeholder="https://"
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TextInput
            label={t('host:code')}
            maxLength={20}
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
          />
          <Button type="submit" size="lg" loading={pairing.isBusy} disabled={!canPair}>
            {t('host:pair')}
          </Button>
        </div>
        {pairing.error === null ? null : <Alert color="red">{refusal(pairing.error).sentence}</Alert>}
      </Stack>
      <ConfirmWithPin {...pairing.dialog} title={t('host:approve')} />
    </form>
  );
}
