import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { approvingRoles } from '../../../app/contract/console/roles.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { AddWizard } from './add-wizard.tsx';
import { KeptActions } from './kept-actions.tsx';
import { TerminalCard } from './terminal-card.tsx';
import styles from './terminals-page.module.css';
import { useTerminals, useTerminalsChanged } from './use-terminals.ts';

interface Added {
  readonly name: string;
  readonly isAttached: boolean;
}

/** Every terminal: how it is, what it can do, its tests; and the way to one more. */
export function TerminalsPage() {
  const { t } = useTexts();
  const { signedIn, training } = useSession();
  const list = useTerminals();
  const changed = useTerminalsChanged();
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<Added>();
  if (list.isPending) return <LoadingState />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const { terminals, kept, isChangedNow } = list.data;
  const later = isChangedNow ? [] : kept;
  const mayAdd = approvingRoles.includes(signedIn.role);
  return (
    <div className={styles.page}>
      <Group justify="space-between">
        <Title order={1}>{t('terminals:navigation')}</Title>
        {mayAdd ? (
          <Button size="lg" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setIsAdding(true)}>
            {t('terminals:add')}
          </Button>
        ) : null}
      </Group>
      <div role="status">
        {added === undefined ? null : (
          <Alert color="gray">
            {t(added.isAttached ? 'terminals:wizard.added' : 'terminals:wizard.addedLater', { name: added.name })}
          </Alert>
        )}
      </div>
      {terminals.length === 0 ? <EmptyState icon={IconDeviceMobile} title={t('terminals:empty')} /> : null}
      <Stack gap="lg">
        {terminals.map((terminal) => (
          <TerminalCard
            key={terminal.terminalId}
            terminal={terminal}
            address={
              isChangedNow ? kept.find(({ terminalId }) => terminalId === terminal.terminalId)?.address : undefined
            }
            isKept={isChangedNow && kept.some(({ terminalId }) => terminalId === terminal.terminalId)}
          />
        ))}
      </Stack>
      {later.length === 0 ? null : (
        <section className={styles.card} aria-labelledby="kept-terminals">
          <Title order={2} id="kept-terminals">
            {t('terminals:kept.title')}
          </Title>
          <Text>{t(training ? 'terminals:kept.training' : 'terminals:kept.text')}</Text>
          {later.map(({ terminalId, name, address, isDefault }) => (
            <Group key={terminalId} justify="space-between" mt="md">
              <Text fw={500}>{[name ?? terminalId, address].join(' · ')}</Text>
              <KeptActions
                {...{ terminalId, isDefault }}
                name={name ?? terminalId}
                // What it can ask is seen once it is used.
                asksTip={undefined}
              />
            </Group>
          ))}
        </section>
      )}
      <SidePanel title={t('terminals:add')} isOpen={isAdding} onClose={() => setIsAdding(false)} width="640px">
        <AddWizard
          onAdded={(one) => {
            setAdded(one);
            setIsAdding(false);
            changed();
          }}
        />
      </SidePanel>
    </div>
  );
}
