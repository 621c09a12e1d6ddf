import { Button, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  MAX_PIN_DIGITS,
  MAX_STAFF_NAME_CHARACTERS,
  MIN_PIN_DIGITS,
} from '../../../app/contract/console/console-limits.ts';
import type { Role } from '../../../app/contract/console/roles.ts';
import type { StaffView } from '../../../app/contract/console/staff.ts';
import { roleTexts } from '../../frame/role-texts.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';

const roleOrder: readonly Role[] = ['CASHIER', 'MANAGER', 'ADMIN', 'SUPPORT'];

const roleHints = {
  CASHIER: 'settings:staff.mayCashier',
  MANAGER: 'settings:staff.mayManager',
  ADMIN: 'settings:staff.mayAdmin',
  SUPPORT: 'settings:staff.maySupport',
} as const satisfies Record<Role, string>;

export interface StaffFormProps {
  /** Undefined: somebody new. */
  readonly member: StaffView | undefined;
  readonly onDone: () => void;
}

/** A person's name, role and PIN. A PIN is only ever set, never shown; whoever leaves cannot sign in any more. */
export function StaffForm({ member, onDone }: StaffFormProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const [name, setName] = useState(member?.name ?? '');
  const [role, setRole] = useState<Role>(member?.role ?? 'CASHIER');
  const [pin, setPin] = useState('');
  const [isLeaving, setIsLeaving] = useState(false);
  const { save, leave } = useStaffCalls(member, onDone);
  const isPinFine = pin === '' ? member !== undefined : pin.length >= MIN_PIN_DIGITS;
  const isComplete = name.trim() !== '' && isPinFine;
  const error = save.error ?? leave.error;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !save.isPending) save.mutate({ name: name.trim(), role, pin });
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={t('settings:staff.name')}
          maxLength={MAX_STAFF_NAME_CHARACTERS}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('settings:staff.role')}
          description={t(roleHints[role])}
          value={role}
          data={roleOrder.map((one) => ({ value: one, label: t(roleTexts[one]) }))}
          onChange={(event) => setRole(roleOrder.find((one) => one === event.currentTarget.value) ?? role)}
        />
        <PasswordInput
          label={t(member === undefined ? 'settings:staff.pin' : 'settings:staff.newPin')}
          description={t('settings:staff.pinHint')}
          maxLength={MAX_PIN_DIGITS}
          inputMode="numeric"
          autoComplete="new-password"
          visible={false}
          visibilityToggleButtonProps={{ 'aria-hidden': true, tabIndex: -1, style: { display: 'none' } }}
          value={pin}
          onChange={(event) => setPin(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <Text role="alert" c="var(--bad)">
          {error === null ? '' : refusalText(error).sentence}
        </Text>
        <Button type="submit" size="lg" disabled={!isComplete} loading={save.isPending}>
          {t('settings:save')}
        </Button>
        {member === undefined ? null : isLeaving ? (
          <Stack gap="sm">
            <Text>{t('settings:staff.leaveText', { name: member.name })}</Text>
            <Group grow>
              <Button variant="default" size="lg" onClick={() => setIsLeaving(false)}>
                {t('common:cancel')}
              </Button>
              <Button size="lg" loading={leave.isPending} onClick={() => leave.mutate()}>
                {t('settings:staff.leaveConfirm')}
              </Button>
            </Group>
          </Stack>
        ) : (
          <Button variant="default" size="lg" onClick={() => setIsLeaving(true)}>
            {t('settings:staff.leave')}
          </Button>
        )}
      </Stack>
    </form>
  );
}

function useStaffCalls(member: StaffView | undefined, onDone: () => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const onSuccess = () => {
    void queryClient.invalidateQueries({ queryKey: ['staff.list'] });
    void queryClient.invalidateQueries({ queryKey: ['session.state'] });
    onDone();
  };
  const save = useMutation({
    mutationFn: async ({ name, role, pin }: { readonly name: string; readonly role: Role; readonly pin: string }) => {
      if (member === undefined) return void (await api.call('staff.create', { name, role, pin }));
      const { staffId } = member;
      if (name !== member.name || role !== member.role) await api.call('staff.update', { staffId, name, role });
      if (pin !== '') await api.call('staff.setPin', { staffId, pin });
    },
    onSuccess,
  });
  const leave = useMutation({
    mutationFn: async () => void (member && (await api.call('staff.deactivate', { staffId: member.staffId }))),
    onSuccess,
  });
  return { save, leave };
}
