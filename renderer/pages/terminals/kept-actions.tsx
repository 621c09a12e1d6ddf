import { Alert, Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { approvingRoles } from '../../../app/contract/console/roles.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useTerminalsChanged } from './use-terminals.ts';

export interface KeptActionsProps {
  readonly terminalId: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** undefined where it has no keys to ask with. */
  readonly asksTip: boolean | undefined;
}

/** What can be done to a terminal of the settings: its name, the default, whether it asks for tips, and its end. */
export function KeptActions({ terminalId, name, isDefault, asksTip }: KeptActionsProps) {
  const { t } = useTexts();
  const api = useConsole();
  const changed = useTerminalsChanged();
  const { signedIn } = useSession();
  const [open, setOpen] = useState<'RENAME' | 'REMOVE'>();
  const makeDefault = useMutation({
    mutationFn: () => api.call('terminals.makeDefault', { terminalId }),
    onSuccess: changed,
  });
  const askTip = useMutation({
    mutationFn: (next: boolean) => api.call('terminals.askTip', { terminalId, asksTip: next }),
    onSuccess: changed,
  });
  const mayChange = approvingRoles.includes(signedIn.role);
  const close = () => setOpen(undefined);
  return (
    <>
      {mayChange ? (
        <Button variant="default" onClick={() => setOpen('RENAME')}>
          {t('terminals:action.rename')}
        </Button>
      ) : null}
      {mayChange && !isDefault ? (
        <Button variant="default" loading={makeDefault.isPending} onClick={() => makeDefault.mutate()}>
          {t('terminals:action.makeDefault')}
        </Button>
      ) : null}
      {mayChange && asksTip !== undefined ? (
        <Switch
          label={t('terminals:action.askTip')}
          checked={asksTip}
          disabled={askTip.isPending}
          onChange={(event) => askTip.mutate(event.currentTarget.checked)}
        />
      ) : null}
      <Button variant="default" onClick={() => setOpen('REMOVE')}>
        {t('terminals:action.remove')}
      </Button>
      {open === 'RENAME' ? <RenameDialog terminalId={terminalId} name={name} onClose={close} /> : null}
      {open === 'REMOVE' ? <RemoveDialog terminalId={terminalId} name={name} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  readonly terminalId: string;
  readonly name: string;
  readonly onClose: () => void;
}

function RenameDialog({ terminalId, name, onClose }: DialogProps) {
  const { t } = useTexts();
  const api = useConsole();
  const changed = useTerminalsChanged();
  const [next, setNext] = useState(name);
  const rename = useMutation({
    mutationFn: () => api.call('terminals.rename', { terminalId, name: next.trim() }),
    onSuccess() {
      changed();
      onClose();
    },
  });
  const { sentence } = useRefusalText()(rename.error);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('terminals:rename.title', { name })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (next.trim() !== '') rename.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={t('terminals:rename.name')}
            value={next}
            maxLength={32}
            data-autofocus
            error={rename.isError ? sentence : undefined}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" size="lg" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="lg" loading={rename.isPending} disabled={next.trim() === ''}>
              {t('terminals:rename.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function RemoveDialog({ terminalId, name, onClose }: DialogProps) {
  const { t } = useTexts();
  const api = useConsole();
  const changed = useTerminalsChanged();
  const removal = useApprovedCall({
    call: (_request: null, approval: Approval | undefined) =>
      api.call('terminals.remove', { terminalId, ...(approval === undefined ? {} : { approval }) }),
    onSuccess() {
      changed();
      onClose();
    },
  });
  const { sentence } = useRefusalText()(removal.error);
  const title = t('terminals:remove.title', { name });
  return (
    <>
      <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common:close') }}>
        <Stack>
          <Text>{t('terminals:remove.text')}</Text>
          {removal.error === null ? null : <Alert color="yellow" role="alert" title={sentence} />}
          <Group justify="flex-end">
            <Button variant="default" size="lg" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button size="lg" loading={removal.isBusy} onClick={() => removal.start(null)}>
              {t('terminals:action.remove')}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <ConfirmWithPin title={title} {...removal.dialog} />
    </>
  );
}
