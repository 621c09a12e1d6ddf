import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { SessionState } from '../../../app/contract/console/session.ts';
import { PinEntry } from '../../components/pin-entry.tsx';
import { LanguageMenu } from '../../frame/language-menu.tsx';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSignIn } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { FirstAdministrator } from './first-administrator.tsx';
import styles from './sign-in-page.module.css';
import { StaffChoice } from './staff-choice.tsx';

/** Who is at the till: a name and a PIN; at the first start the first administrator. */
export function SignInPage({ session }: { readonly session: SessionState }) {
  return (
    <Stack className={styles.page} gap="lg">
      <Group justify="space-between" align="center">
        <Text c="dimmed">{session.merchantName}</Text>
        <LanguageMenu />
      </Group>
      <Paper withBorder p="lg" radius="md">
        {session.firstStart && session.staff.length === 0 ? <FirstAdministrator /> : <SignIn session={session} />}
      </Paper>
    </Stack>
  );
}

function SignIn({ session }: { readonly session: SessionState }) {
  const { t } = useTexts();
  const { staff, trainingStaff } = session;
  const only = staff.length === 1 ? staff[0] : undefined;
  const [chosenId, setChosenId] = useState<string>();
  const chosen = staff.find((member) => member.staffId === chosenId) ?? only;
  const signIn = useSignIn();
  const refusalText = useRefusalText();

  if (chosen === undefined) {
    return (
      <Stack>
        <Title order={1}>{t('session:who')}</Title>
        <StaffChoice staff={staff} onChoose={setChosenId} />
      </Stack>
    );
  }
  return (
    <Stack>
      <Title order={1} ta="center">
        {chosen.name}
      </Title>
      {trainingStaff?.staffId === chosen.staffId ? (
        <Text ta="center" c="dimmed">
          {t('session:trainingHint', { name: trainingStaff.name, pin: trainingStaff.pin })}
        </Text>
      ) : null}
      <PinEntry
        key={chosen.staffId}
        label={t('session:pinFor', { name: chosen.name })}
        submitLabel={t('session:signIn')}
        isBusy={signIn.isPending}
        problem={signIn.isError ? refusalText(signIn.error).sentence : undefined}
        onSubmit={(pin) => signIn.mutate({ staffId: chosen.staffId, pin })}
      />
      {only === undefined ? (
        <button
          type="button"
          className={styles.other}
          onClick={() => {
            signIn.reset();
            setChosenId(undefined);
          }}
        >
          {t('session:other')}
        </button>
      ) : null}
    </Stack>
  );
}
