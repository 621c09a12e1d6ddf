import { Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { GiveBackForm } from './give-back-form.tsx';
import { wholeMinor } from './give-back-plan.ts';
import { giveBackReasons } from './give-back-reasons.ts';
import { keptGiveBack } from './kept-give-back.ts';

export interface GiveBackProps {
  readonly detail: ActivityDetail;
  /** The terminal has begun to work on it, or has ended: meanwhile the panel stays open. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** The one action of a payment: give its money back, or why that is not possible. */
export function GiveBack({ detail, onBusy }: GiveBackProps) {
  const { t } = useTexts();
  const money = useMoney();
  const { signedIn } = useSession();
  const [isOpen, setIsOpen] = useState(
    () => keptGiveBack(sessionStorage, detail.transaction.transactionId) !== undefined,
  );
  const { giveBack, transaction } = detail;
  const maySell = sellingRoles.includes(signedIn.role);
  if (isOpen) return <GiveBackForm detail={detail} onBusy={onBusy} onClose={() => setIsOpen(false)} />;
  if (giveBack.kind === 'NONE') return <Text c="dimmed">{t(giveBackReasons[giveBack.reason])}</Text>;
  if (!maySell) return <Text c="dimmed">{t('activity:giveBack.notYourRole')}</Text>;
  return (
    <Group justify="space-between" gap="md" wrap="nowrap">
      <Text c="dimmed">{t('activity:giveBack.left', { amount: money(wholeMinor(detail), transaction.currency) })}</Text>
      <Button size="lg" leftSection={<IconArrowBackUp size={22} aria-hidden />} onClick={() => setIsOpen(true)}>
        {t(giveBack.reason === 'OPEN_HOLD' ? 'activity:giveBack.release' : 'activity:giveBack.action')}
      </Button>
    </Group>
  );
}
