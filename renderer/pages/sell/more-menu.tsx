import { Button, Menu } from '@mantine/core';
import { IconArrowBackUp, IconCards, IconCreditCardPay, IconDots, IconScale, IconWallet } from '@tabler/icons-react';
import { useState } from 'react';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { HoldsPanel } from './holds-panel.tsx';
import type { SellRequest } from './kept-intent.ts';

export interface MoreMenuProps {
  readonly terminal: TerminalView;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onStart: (request: SellRequest) => void;
  /** Back to the amount, so that the next Enter is for it and not for this menu. */
  readonly onLeave: () => void;
}

/** What is done at the terminal besides selling, as far as it can: holds, reading a card, its balance. */
export function MoreMenu({ terminal, draft, onChange, onStart, onLeave }: MoreMenuProps) {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
    onLeave();
  };
  const { currency, capabilities } = terminal;
  const can = (operation: (typeof capabilities.operations)[number]) => capabilities.operations.includes(operation);
  return (
    <>
      <Menu position="bottom-end" returnFocus={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={20} aria-hidden />}>
            {t('sell:more.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {draft.mode.kind === 'SALE' ? null : (
            <Menu.Item
              leftSection={<IconArrowBackUp size={20} aria-hidden />}
              onClick={() => {
                onChange({ ...emptyDraft, terminalId: terminal.terminalId });
                onLeave();
              }}
            >
              {t('sell:mode.back')}
            </Menu.Item>
          )}
          {can('PRE_AUTH') ? (
            <Menu.Item
              leftSection={<IconWallet size={20} aria-hidden />}
              onClick={() => {
                onChange({ ...draft, cashbackMinor: 0, mode: { kind: 'HOLD' } });
                onLeave();
              }}
            >
              {t('sell:more.hold')}
            </Menu.Item>
          ) : null}
          {can('PRE_AUTH') ? (
            <Menu.Item leftSection={<IconCards size={20} aria-hidden />} onClick={() => setIsOpen(true)}>
              {t('sell:more.holds')}
            </Menu.Item>
          ) : null}
          {can('CARD_READ') ? (
            <Menu.Item
              leftSection={<IconCreditCardPay size={20} aria-hidden />}
              onClick={() => onStart({ type: 'CARD_READ', amount: 0, currency })}
            >
              {t('sell:more.cardRead')}
            </Menu.Item>
          ) : null}
          {can('BALANCE_INQUIRY') ? (
            <Menu.Item
              leftSection={<IconScale size={20} aria-hidden />}
              onClick={() => onStart({ type: 'BALANCE_INQUIRY', amount: 0, currency })}
            >
              {t('sell:more.balance')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <HoldsPanel
        isOpen={isOpen}
        onClose={close}
        terminal={terminal}
        onComplete={({ transactionId, amount, referenceId = '' }) => {
          close();
          onChange({
            ...emptyDraft,
            terminalId: terminal.terminalId,
            reference: referenceId,
            amountMinor: amount,
            mode: { kind: 'COMPLETE', transactionId, heldMinor: amount },
          });
        }}
        onRelease={({ transactionId }) => {
          close();
          onStart({ type: 'VOID', amount: 0, currency, originalTransactionId: transactionId });
        }}
      />
    </>
  );
}
