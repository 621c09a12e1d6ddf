import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { BundleView } from '../../../app/contract/console/support.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';

const stepTexts = {
  VERIFY: 'support:step.verify',
  COLLECT: 'support:step.collect',
  SCAN: 'support:step.scan',
} as const;

export interface WorkProgressProps {
  readonly progress: BundleView & { readonly kind: 'RUNNING' };
  readonly what: 'BUNDLE' | 'VERIFICATION';
}

/** What is being done, how far it has come, and the way to stop it. */
export function WorkProgress({ progress: { step, done, of }, what }: WorkProgressProps) {
  const { t } = useTexts();
  const api = useConsole();
  const stop = useMutation({ mutationFn: () => api.call('support.stop', { what }) });
  const percent = of === 0 ? 0 : Math.min(100, Math.round((done / of) * 100));
  return (
    <Stack gap="sm">
      <Text role="status">{t(stepTexts[step])}</Text>
      <Progress value={percent} size="lg" transitionDuration={0} aria-label={t(stepTexts[step])} />
      <Group>
        <Button variant="default" onClick={() => stop.mutate()} disabled={stop.isPending}>
          {t('support:stop')}
        </Button>
      </Group>
    </Stack>
  );
}
