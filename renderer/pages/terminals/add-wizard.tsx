import { Button, Checkbox, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { terminalProtocolNames } from '../../../app/contract/console/terminals.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { SearchForm } from './search-form.tsx';
import { SearchProblem } from './search-problem.tsx';
import { type SearchState, useSearch } from './use-search.ts';

export interface AddWizardProps {
  readonly onAdded: (terminal: { readonly name: string; readonly isAttached: boolean }) => void;
}

/** Where it is, what answers there, a test without money, a name. */
export function AddWizard({ onAdded }: AddWizardProps) {
  const { t } = useTexts();
  const search = useSearch();
  const { state } = search;
  const outcome = useRef<HTMLDivElement>(null);
  // On a small screen it would be below the edge, and the press of Search would seem to do nothing.
  useEffect(() => {
    if (state.phase !== 'FORM') outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [state.phase]);
  if (state.phase === 'FOUND') return <FoundStep found={state} onAdded={onAdded} onBack={search.back} />;
  return (
    <Stack gap="md">
      <SearchForm isBusy={search.isBusy} onSearch={search.start} />
      <div ref={outcome}>
        <div role="status">
          {state.phase === 'ASKING' || state.phase === 'TESTING' ? (
            <Group justify="space-between">
              <Group gap="sm">
                <Loader size="sm" aria-hidden />
                <Text>{progressText(state, t)}</Text>
              </Group>
              <Button variant="default" onClick={search.stop}>
                {t('terminals:wizard.stop')}
              </Button>
            </Group>
          ) : null}
        </div>
        <SearchProblem state={state} />
      </div>
    </Stack>
  );
}

function progressText(
  { phase, request: { line } }: Extract<SearchState, { phase: 'ASKING' | 'TESTING' }>,
  t: ReturnType<typeof useTexts>['t'],
): string {
  if (phase === 'TESTING') return t('terminals:wizard.searching.test');
  switch (line.kind) {
    case 'TCP':
      return t('terminals:wizard.searching.network', { address: `${line.host}:${line.port}` });
    case 'SERIAL':
      return t('terminals:wizard.searching.serial', { baud: line.baudRate });
    case 'HID':
      return t('terminals:wizard.searching.reader', { address: line.serialNumber ?? '' });
  }
}

function readiness({ isUnproven, protocol, test }: FoundStepProps['found']): TextKey {
  if (!test.isReady) return 'terminals:wizard.notReady';
  if (isUnproven) return 'terminals:wizard.unproven';
  return protocol === 'ZVT' ? 'terminals:wizard.ready' : 'terminals:wizard.answers';
}

interface FoundStepProps extends AddWizardProps {
  readonly found: Extract<SearchState, { phase: 'FOUND' }>;
  readonly onBack: () => void;
}

function FoundStep({ found, onAdded, onBack }: FoundStepProps) {
  const { t } = useTexts();
  const api = useConsole();
  const { request, protocol, isUnproven, test } = found;
  const [name, setName] = useState('');
  const [isDefault, setIsDefault] = useState(false);
  const add = useMutation({
    mutationFn: () => api.call('terminals.add', { ...request, name: name.trim(), isDefault }),
    onSuccess: ({ isAttached }) => onAdded({ name: name.trim(), isAttached }),
  });
  const { sentence } = useRefusalText()(add.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') add.mutate();
      }}
    >
      <Stack gap="md">
        <StatusBadge tone={!test.isReady ? 'WARN' : isUnproven ? 'INFO' : 'GOOD'}>
          {t(isUnproven ? 'terminals:wizard.listens' : 'terminals:wizard.found', {
            protocol: terminalProtocolNames[protocol],
          })}
        </StatusBadge>
        <Text>{t(readiness(found), { protocol: terminalProtocolNames[protocol] })}</Text>
        <Text className="code">
          {[test.serialNumber, test.firmwareVersion].filter((part) => part !== undefined).join(' · ')}
        </Text>
        <TextInput
          label={t('terminals:wizard.name')}
          description={t('terminals:wizard.nameHint')}
          value={name}
          maxLength={32}
          error={add.isError ? sentence : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          size="md"
          label={t('terminals:wizard.isDefault')}
          checked={isDefault}
          onChange={(event) => setIsDefault(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" size="lg" onClick={onBack}>
            {t('terminals:wizard.again')}
          </Button>
          <Button type="submit" size="lg" disabled={name.trim() === ''} loading={add.isPending}>
            {t('terminals:wizard.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
