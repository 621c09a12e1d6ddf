import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { ClientView } from '../../../app/contract/console/integrations.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { CopyBlock } from './copy-block.tsx';
import styles from './integrations.module.css';
import type { NewKey } from './new-key.ts';

type GraceSeconds = 0 | 3_600 | 86_400;

type Change =
  | { readonly kind: 'CREATE'; readonly name: string }
  | { readonly kind: 'RENAME'; readonly name: string; readonly newName: string }
  | { readonly kind: 'ROTATE'; readonly name: string; readonly graceSeconds: GraceSeconds }
  | { readonly kind: 'REVOKE'; readonly name: string };

type Asking = { readonly kind: 'RENAME' | 'ROTATE' | 'REVOKE'; readonly client: ClientView };

const graces = { '0': 0, '3600': 3_600, '86400': 86_400 } as const satisfies Record<string, GraceSeconds>;

/** What became of a client: the key that it has now, where it got one. */
interface Changed {
  readonly name: string;
  readonly made?: NewKey;
}

function useKeyChange(onDone: (changed: Changed) => void) {
  const api = useConsole();
  const queries = useQueryClient();
  return useApprovedCall({
    async call(change: Change, approval: Approval | undefined): Promise<Changed> {
      const approved = approval === undefined ? {} : { approval };
      const { name } = change;
      if (change.kind === 'CREATE') {
        const { key } = await api.call('integrations.clients.create', { name, ...approved });
        return { name, made: { name, key } };
      }
      if (change.kind === 'ROTATE') {
        const { graceSeconds } = change;
        const { key } = await api.call('integrations.clients.rotate', { name, graceSeconds, ...approved });
        return { name, made: { name, key } };
      }
      if (change.kind === 'RENAME')
        await api.call('integrations.clients.rename', { name, newName: change.newName, ...approved });
      else await api.call('integrations.clients.revoke', { name, ...approved });
      return { name };
    },
    onSuccess(changed) {
      void queries.invalidateQueries({ queryKey: ['integrations.clients.list'] });
      onDone(changed);
    },
  });
}

interface KeysSectionProps {
  /** Told after each change: a key of that name that is known elsewhere is no longer good. */
  readonly onChanged: (changed: Changed) => void;
}

/** The POS clients and their keys. */
export function KeysSection({ onChanged }: KeysSectionProps) {
  const { t } = useTexts();
  const api = useConsole();
  const refusal = useRefusalText();
  const query = useQuery({
    queryKey: ['integrations.clients.list'],
    queryFn: () => api.call('integrations.clients.list', {}),
  });
  const [name, setName] = useState('');
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<NewKey>();
  const change = useKeyChange((changed) => {
    setMade(changed.made);
    setAsking(undefined);
    setName('');
    onChanged(changed);
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const { clients } = query.data;
  return (
    <Stack>
      <Text>{t('integrations:keys.text')}</Text>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '' && !change.isBusy) change.start({ kind: 'CREATE', name: name.trim() });
        }}
      >
        <TextInput
          label={t('integrations:keys.name')}
          description={t('integrations:keys.nameHint')}
          value={name}
          maxLength={64}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={change.isBusy} disabled={name.trim() === ''}>
          {t('integrations:keys.create')}
        </Button>
      </form>
      {change.error === null ? null : <Alert color="red">{refusal(change.error).sentence}</Alert>}
      {clients.length === 0 ? (
        <EmptyState title={t('integrations:keys.empty')} />
      ) : (
        <ul className={styles.list}>
          {clients.map((client) => (
            <KeyRow key={client.clientId} client={client} onAsk={setAsking} />
          ))}
        </ul>
      )}
      {asking === undefined ? null : (
        <AskDialog
          asking={asking}
          isBusy={change.isBusy}
          onClose={() => setAsking(undefined)}
          onConfirm={change.start}
        />
      )}
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        closeOnClickOutside={false}
        size="lg"
        title={t('integrations:keys.shown', { name: made?.name ?? '' })}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <Stack>
          <Alert color="yellow">{t('integrations:keys.shownText')}</Alert>
          <CopyBlock label={t('integrations:keys.shown', { name: made?.name ?? '' })} text={made?.key ?? ''} />
          <Group>
            <Button onClick={() => setMade(undefined)}>{t('integrations:keys.done')}</Button>
            <a className={styles.link} href="#/integrations/first">
              {t('integrations:keys.tryIt')}
            </a>
          </Group>
        </Stack>
      </Modal>
      <ConfirmWithPin {...change.dialog} title={t('integrations:keys.approve')} />
    </Stack>
  );
}

function KeyRow({ client, onAsk }: { readonly client: ClientView; readonly onAsk: (asking: Asking) => void }) {
  const { t } = useTexts();
  const time = useLocalTime();
  const { name, lastUsedAt, revokedAt, earlierKeyUntil, trainingOnly, isOfHost } = client;
  const canChange = revokedAt === undefined && !trainingOnly && !isOfHost;
  return (
    <li>
      <div>
        <Group gap="sm">
          <Text fw={600}>{name}</Text>
          <StatusBadge tone={revokedAt === undefined ? 'GOOD' : 'INFO'}>
            {revokedAt === undefined ? t('integrations:keys.inForce') : t('integrations:keys.revoked')}
          </StatusBadge>
          {trainingOnly ? <StatusBadge tone="INFO">{t('integrations:keys.training')}</StatusBadge> : null}
          {isOfHost ? <StatusBadge tone="INFO">{t('integrations:keys.ofHost')}</StatusBadge> : null}
        </Group>
        <Text size="sm" c="dimmed">
          {t('integrations:keys.created', { time: time(client.createdAt) })} ·{' '}
          {lastUsedAt === undefined
            ? t('integrations:keys.neverUsed')
            : t('integrations:keys.lastUsed', { time: time(lastUsedAt) })}
        </Text>
        {earlierKeyUntil === undefined ? null : (
          <Text size="sm">{t('integrations:keys.earlier', { time: time(earlierKeyUntil) })}</Text>
        )}
      </div>
      {canChange ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => onAsk({ kind: 'RENAME', client })}>
            {t('integrations:keys.rename')}
          </Button>
          <Button variant="default" onClick={() => onAsk({ kind: 'ROTATE', client })}>
            {t('integrations:keys.rotate')}
          </Button>
          <Button variant="default" onClick={() => onAsk({ kind: 'REVOKE', client })}>
            {t('integrations:keys.revoke')}
          </Button>
        </Group>
      ) : null}
    </li>
  );
}

const askTitles = {
  RENAME: 'integrations:keys.rename',
  ROTATE: 'integrations:keys.rotate',
  REVOKE: 'integrations:keys.revoke',
} as const;

interface AskDialogProps {
  readonly asking: Asking;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (change: Change) => void;
}

function AskDialog({ asking, isBusy, onClose, onConfirm }: AskDialogProps) {
  const { t } = useTexts();
  const { kind, client } = asking;
  const { name } = client;
  const [newName, setNewName] = useState(name);
  const [grace, setGrace] = useState<keyof typeof graces>('3600');
  const confirm = () => {
    if (kind === 'RENAME') onConfirm({ kind, name, newName: newName.trim() });
    else if (kind === 'ROTATE') onConfirm({ kind, name, graceSeconds: graces[grace] });
    else onConfirm({ kind, name });
  };
  return (
    <Modal opened onClose={onClose} title={t(askTitles[kind])} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Stack>
        {kind === 'RENAME' ? (
          <TextInput
            label={t('integrations:keys.newName')}
            value={newName}
            maxLength={64}
            onChange={(event) => setNewName(event.currentTarget.value)}
          />
        ) : null}
        {kind === 'ROTATE' ? (
          <>
            <Text>{t('integrations:keys.rotateText', { name })}</Text>
            <NativeSelect
              label={t('integrations:keys.grace')}
              value={grace}
              onChange={(event) => {
                const { value } = event.currentTarget;
                if (value === '0' || value === '3600' || value === '86400') setGrace(value);
              }}
              data={[
                { value: '0', label: t('integrations:keys.graceNone') },
                { value: '3600', label: t('integrations:keys.graceHour') },
                { value: '86400', label: t('integrations:keys.graceDay') },
              ]}
            />
          </>
        ) : null}
        {kind === 'REVOKE' ? <Text>{t('integrations:keys.revokeText', { name })}</Text> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={isBusy} disabled={newName.trim() === ''} onClick={confirm}>
            {t(askTitles[kind])}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
