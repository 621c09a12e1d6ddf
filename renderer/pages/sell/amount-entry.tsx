import { Button, Group, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { Keypad } from '../../components/keypad.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useTypedKeys } from '../../hooks/use-typed-keys.ts';
import { BigAmount } from './big-amount.tsx';
import { type Draft, draftTotal } from './draft.ts';
import styles from './panel.module.css';
import { withDigits, withoutLastDigit } from './sale-amounts.ts';
import { SaleOptions } from './sale-options.tsx';

export interface AmountEntryProps {
  readonly terminal: TerminalView;
  readonly terminals: readonly TerminalView[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onCharge: () => void;
}

/** The amount by touch or by typing, and the one button that charges it. */
export function AmountEntry({ terminal, terminals, draft, onChange, onCharge }: AmountEntryProps) {
  const { t } = useTexts();
  const money = useMoney();
  const [isOpen, setIsOpen] = useState(false);
  const amount = useRef<HTMLOutputElement>(null);
  // Back to the amount, not to the button: the next Enter is to charge. A key that is still held down presses nothing there.
  const closeOptions = () => {
    setIsOpen(false);
    amount.current?.focus();
  };
  const { currency, capabilities } = terminal;
  const total = draftTotal(draft);
  const canCharge = draft.amountMinor > 0 && total <= capabilities.maxAmountMinor;

  const setAmount = (amountMinor: number) => onChange({ ...draft, amountMinor });
  const typeDigits = (digits: string) => setAmount(withDigits(draft.amountMinor, digits, capabilities.maxAmountMinor));
  useTypedKeys((key) => {
    if (/^\d$/.test(key)) typeDigits(key);
    else if (key === 'Backspace') setAmount(withoutLastDigit(draft.amountMinor));
    else if (key === 'Delete' || key === 'Escape') setAmount(0);
    else if (key === 'Enter' && canCharge) onCharge();
    else return false;
    return true;
  }, !isOpen);

  return (
    <div className={styles.panel}>
      <BigAmount ref={amount} amountMinor={draft.amountMinor} currency={currency} label={t('sell:amount')} />
      <Group className={styles.options} justify="space-between" wrap="nowrap">
        <OptionWords draft={draft} currency={currency} />
        {terminals.length > 1 ? (
          <NativeSelect
            aria-label={t('sell:terminal.choose')}
            value={terminal.terminalId}
            onChange={(event) => onChange({ ...draft, terminalId: event.currentTarget.value })}
            data={terminals.map((one) => one.terminalId)}
          />
        ) : null}
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={20} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          {t('sell:options.open')}
        </Button>
      </Group>
      <Keypad
        label={t('sell:keypad')}
        hasDoubleZero
        onDigits={typeDigits}
        onBackspace={() => setAmount(withoutLastDigit(draft.amountMinor))}
      />
      <Button className={styles.primary} size="xl" fullWidth disabled={!canCharge} onClick={onCharge}>
        {t('sell:charge', { amount: money(total, currency) })}
      </Button>
      <SaleOptions isOpen={isOpen} onClose={closeOptions} terminal={terminal} draft={draft} onChange={onChange} />
    </div>
  );
}

/** What the folded options add to the amount, in words. */
function OptionWords({ draft, currency }: { readonly draft: Draft; readonly currency: string }) {
  const { t } = useTexts();
  const money = useMoney();
  const words = [
    draft.tipMinor === 0 ? [] : [t('sell:options.withTip', { amount: money(draft.tipMinor, currency) })],
    draft.cashbackMinor === 0 ? [] : [t('sell:options.withCashback', { amount: money(draft.cashbackMinor, currency) })],
    draft.reference.trim() === '' ? [] : [t('sell:options.withReference', { reference: draft.reference.trim() })],
    draft.entryMode === 'AUTO' ? [] : [t(entryModeTexts[draft.entryMode])],
  ].flat();
  return <span className={styles.words}>{words.join(' · ')}</span>;
}

const entryModeTexts = {
  CONTACT: 'sell:entryMode.contact',
  CONTACTLESS: 'sell:entryMode.contactless',
} as const;
