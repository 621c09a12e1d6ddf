import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TerminalTrouble } from '../../../app/contract/console/attention.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';

const words = {
  UNREACHABLE: {
    title: 'attention:terminal.unreachable',
    advice: 'attention:terminal.advice.unreachable',
    badge: 'common:device.disconnected',
  },
  WANTS_HELP: {
    title: 'attention:terminal.wantsHelp',
    advice: 'attention:terminal.advice.wantsHelp',
    badge: 'common:device.error',
  },
} as const;

/** A terminal that cannot work: since when, when it was last heard, what can be done. It goes by itself when the terminal is back. */
export function TerminalTroubleCard({ trouble }: { readonly trouble: TerminalTrouble }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const { terminalId, name, kind, since, lastSeenAt } = trouble;
  const { title, advice, badge } = words[kind];
  const test = useConnectionTest(terminalId);
  return (
    <article className={styles.card} aria-labelledby={`terminal-${terminalId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`terminal-${terminalId}`}>
            {t(title, { terminal: name ?? terminalId, time: localTime(since) })}
          </Title>
          <StatusBadge tone="WARN">{t(badge)}</StatusBadge>
        </Group>
        <Text fw={600}>{t('attention:terminal.noPayments')}</Text>
        <Text>{t(advice)}</Text>
        <Text c="dimmed">
          {[
            name === undefined ? undefined : terminalId,
            lastSeenAt === undefined
              ? t('attention:terminal.never')
              : t('attention:terminal.lastSeen', { time: localTime(lastSeenAt) }),
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </Text>
        <Text role="status" mih={24}>
          {test.text}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" size="lg" onClick={() => void navigate({ to: '/terminals' })}>
            {t('attention:terminal.open')}
          </Button>
          <Button size="lg" loading={test.isRunning} onClick={test.start}>
            {t('attention:terminal.test')}
          </Button>
        </Group>
      </Stack>
    </article>
  );
}

/** Asks the terminal how it is; nothing of it moves money. */
function useConnectionTest(terminalId: string) {
  const { t } = useTexts();
  const api = useConsole();
  const client = useQueryClient();
  const refusalText = useRefusalText();
  const probe = useMutation({
    mutationFn: () => api.call('terminals.probe', { terminalId }),
    onSuccess() {
      for (const name of ['attention.list', 'terminals.list', 'session.state'])
        void client.invalidateQueries({ queryKey: [name] });
    },
  });

  function text(): string {
    if (probe.error !== null) return refusalText(probe.error).sentence;
    if (probe.data === undefined) return '';
    const { state, connected } = probe.data.terminal.status;
    if (!connected) return t('terminals:done.silent');
    return t(state === 'ERROR' ? 'attention:terminal.stillNotReady' : 'terminals:done.asked');
  }

  return { text: text(), isRunning: probe.isPending, start: () => probe.mutate() };
}
