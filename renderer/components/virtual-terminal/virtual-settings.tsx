import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useTexts } from '../../hooks/use-texts.ts';
import type { VirtualTerminal } from '../../hooks/use-virtual-terminal.ts';
import { faultGroupsOf } from './fault-words.ts';

/** Who presents the cards, what the next payment meets, and what happens to the terminal now. */
export function VirtualSettings({ virtual }: { readonly virtual: VirtualTerminal }) {
  const { t } = useTexts();
  const { view, act, script, isAlwaysInHand } = virtual;
  return (
    <Stack gap="md">
      {isAlwaysInHand ? null : (
        <Switch
          size="md"
          label={t('terminals:virtual.hand.label')}
          description={t(view.isInHand ? 'terminals:virtual.hand.on' : 'terminals:virtual.hand.off')}
          checked={view.isInHand}
          onChange={(event) => act({ kind: 'HAND', isHeld: event.currentTarget.checked })}
        />
      )}
      <NativeSelect
        label={t('terminals:virtual.fault.next')}
        value={view.armed ?? ''}
        onChange={({ currentTarget: { value } }) =>
          act(value === '' ? { kind: 'DISARM' } : { kind: 'ARM', rule: value })
        }
        data={[
          { value: '', label: t('terminals:virtual.fault.none') },
          ...faultGroupsOf(script).map(({ label, rules }) => ({
            group: t(label),
            items: rules.map(({ rule, text }) => ({ value: rule, label: t(text) })),
          })),
        ]}
      />
      <div>
        <Text fw={500}>{t('terminals:virtual.now.title')}</Text>
        <Group gap="sm" mt="xs">
          <Button variant="default" onClick={() => act({ kind: 'FAULT', fault: 'unplug' })}>
            {t('terminals:virtual.now.unplug')}
          </Button>
          <Button variant="default" onClick={() => act({ kind: 'FAULT', fault: 'reboot' })}>
            {t('terminals:virtual.now.reboot')}
          </Button>
          {script.faults.includes('out-of-paper') ? (
            <Button
              variant="default"
              onClick={() => act({ kind: 'FAULT', fault: view.isOutOfPaper ? 'paper' : 'out-of-paper' })}
            >
              {t(view.isOutOfPaper ? 'terminals:virtual.now.paper' : 'terminals:virtual.now.paperOut')}
            </Button>
          ) : null}
        </Group>
      </div>
      {view.paper.length === 0 ? null : (
        <div>
          <Text fw={500}>{t('terminals:virtual.paper')}</Text>
          <pre className="code">{view.paper.join('\n')}</pre>
        </div>
      )}
    </Stack>
  );
}
