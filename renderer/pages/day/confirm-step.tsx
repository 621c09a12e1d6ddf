import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DayPreview } from '../../../app/contract/console/day.ts';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useDayClose } from './use-day.ts';

export interface ConfirmStepProps {
  readonly day: DayPreview;
  readonly onClosed: (settlementId: string) => void;
}

/** The close itself: what will happen in a sentence, one button, and a manager's PIN where it is needed. */
export function ConfirmStep({ day, onClosed }: ConfirmStepProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const money = useMoney();
  const refusalText = useRefusalText();
  const { signedIn } = useSession();
  const close = useDayClose(day.terminalId, onClosed);
  const { totals, netAmount, terminalId } = day;
  const maySell = sellingRoles.includes(signedIn.role);
  const net = money(netAmount, totals.currency);
  const isClosing = close.isBusy && !close.dialog.isOpen;
  const failure = close.end?.status === 'FAILED' ? close.end : undefined;
  const isUnknown = failure?.errorCode === 'OUTCOME_UNKNOWN';
  return (
    <Stack gap="lg" flex={1}>
      <Title order={2}>{t('day:confirm.title', { terminal: terminalId })}</Title>
      <Text size="lg">{t('day:confirm.text', { count: totals.saleCount, amount: net })}</Text>
      <Text c="dimmed">{t('day:confirm.final')}</Text>
      <div role="status">
        {isClosing ? <Text fw={600}>{t('day:confirm.running')}</Text> : null}
        {close.error === null ? null : (
          <Alert color="yellow" title={refusalText(close.error).sentence}>
            <span className="code">{refusalText(close.error).code}</span>
          </Alert>
        )}
        {failure === undefined ? null : (
          <Alert color="yellow" title={t(isUnknown ? 'day:confirm.unknown' : 'day:confirm.failed')}>
            <span className="code">{failure.errorCode}</span>
          </Alert>
        )}
      </div>
      <Group justify="flex-end" mt="auto">
        {isUnknown ? (
          <Button size="lg" onClick={() => void navigate({ to: '/attention' })}>
            {t('day:open.resolve')}
          </Button>
        ) : maySell ? (
          <Button size="lg" loading={isClosing} onClick={close.start}>
            {t('day:confirm.action')}
          </Button>
        ) : (
          <Text c="dimmed">{t('day:confirm.notYourRole')}</Text>
        )}
      </Group>
      <ConfirmWithPin
        title={t('day:confirm.action')}
        text={t('day:confirm.approve', { amount: net })}
        {...close.dialog}
      />
    </Stack>
  );
}
