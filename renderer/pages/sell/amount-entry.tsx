import { Button, Group, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { Keypad } from '../../components/keypad.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BigAmount } from './big-amount.tsx';
import { type Draft, draftTotal, requestOf, type SellMode } from './draft.ts';
import type { SellRequest } from './kept-intent.ts';
import { MoreMenu } from './more-menu.tsx';
import styles from './panel.module.css';
import { withDigits, withoutLastDigit } from './sale-amounts.ts';
import { SaleOptions } from './sale-options.tsx';
import { isTipTooLarge, offerFor, tipOf, useOfferedTips } from './sale-tip.ts';
import { TipChoice } from './tip-choice.tsx';

export interface AmountEntryProps {
  readonly terminal: TerminalView;
  readonly terminals: readonly TerminalView[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Charges the amount, or starts something that needs none. */
  readonly onStart: (request: SellRequest) => void;
}

/** The amount by touch or by typing, and the one button that charges it. */
export function AmountEntry({ terminal, terminals, draft, onChange, onStart }: AmountEntryProps) {
  const { t } = useTexts();
  const money = useMoney();
  const [isOpen, setIsOpen] = useState(false);
  const amount = useRef<HTMLOutputElement>(null);
  // Back to the amount, not to the button: the next Enter is to charge. A key that is still held down presses nothing there.
  const toAmount = () => amount.current?.focus();
  const closeOptions = () => {
    setIsOpen(false);
    toAmount();
  };
  const { currency, capabilities } = terminal;
  const { mode } = draft;
  const maxMinor = mode.kind === 'COMPLETE' ? mode.heldMinor : capabilities.maxAmountMinor;
  const tips = useOfferedTips(terminal);
  const offer = offerFor(draft, tips, maxMinor);
  const tip = tipOf(draft, tips, offer);
  const isTipOffered = tips !== undefined && mode.kind === 'SALE';
  const total = draftTotal(draft, tip);
  const canCharge = draft.amountMinor > 0 && total <= maxMinor && !isTipTooLarge(tip, offer);

  const setAmount = (amountMinor: number) => onChange({ ...draft, amountMinor });
  const typeDigits = (digits: string) => setAmount(withDigits(draft.amountMinor, digits, maxMinor));
  const charge = () => {
    if (canCharge) onStart(requestOf(draft, currency, tip));
    return canCharge;
  };
  /** Does it, and has used the key; from there on Enter charges, wherever the focus was before. */
  const typed = (change: () => void): true => {
    change();
    toAmount();
    return true;
  };
  useShortcuts(
    [
      { keys: [...'0123456789'], shown: '0 – 9', label: 'sell:keypad', run: (key) => typed(() => typeDigits(key)) },
      {
        keys: ['Backspace'],
        shown: '⌫',
        label: 'common:backspace',
        run: () => typed(() => setAmount(withoutLastDigit(draft.amountMinor))),
      },
      { keys: ['Escape', 'Delete'], shown: 'Esc', label: 'sell:keys.clear', run: () => typed(() => setAmount(0)) },
      { keys: ['Enter'], shown: 'Enter', label: 'sell:keys.go', run: charge },
    ],
    !isOpen,
  );

  return (
    <div className={styles.panel}>
      <BigAmount ref={amount} amountMinor={draft.amountMinor} currency={currency} label={t('sell:amount')} />
      <Group className={styles.options} justify="space-between" wrap="nowrap">
        <ModeWords mode={mode} currency={currency} />
        <OptionWords draft={draft} tipMinor={isTipOffered ? 0 : tip.tipMinor} currency={currency} />
        {isTipOffered ? (
          <TipChoice
            {...{ draft, tips, offer, onChange }}
            isAskedAtTerminal={terminal.asksTip === true}
            onOther={() => setIsOpen(true)}
          />
        ) : null}
        {terminals.length > 1 && mode.kind !== 'COMPLETE' ? (
          <NativeSelect
            aria-label={t('sell:terminal.choose')}
            value={terminal.terminalId}
            onChange={(event) => onChange({ ...draft, terminalId: event.currentTarget.value })}
            data={terminals.map(({ terminalId, name = terminalId }) => ({ value: terminalId, label: name }))}
          />
        ) : null}
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={20} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          {t('sell:options.open')}
        </Button>
        <MoreMenu terminal={terminal} draft={draft} onChange={onChange} onStart={onStart} onLeave={toAmount} />
      </Group>
      <Keypad
        label={t('sell:keypad')}
        hasDoubleZero
        onDigits={typeDigits}
        onBackspace={() => setAmount(withoutLastDigit(draft.amountMinor))}
      />
      <Button className={styles.primary} size="xl" fullWidth disabled={!canCharge} onClick={charge}>
        {t(chargeTexts[mode.kind], { amount: money(total, currency) })}
      </Button>
      <SaleOptions
        isOpen={isOpen}
        onClose={closeOptions}
        {...{ terminal, draft, onChange }}
        largestTipMinor={isTipOffered ? (offer?.customUpToMinor ?? 0) : undefined}
      />
    </div>
  );
}

const chargeTexts = {
  SALE: 'sell:charge',
  HOLD: 'sell:mode.hold',
  COMPLETE: 'sell:mode.complete',
} as const satisfies Record<SellMode['kind'], string>;

/** What the amount is for, where it is not a sale. */
function ModeWords({ mode, currency }: { readonly mode: SellMode; readonly currency: string }) {
  const { t } = useTexts();
  const money = useMoney();
  if (mode.kind === 'SALE') return null;
  return (
    <strong className={styles.mode}>
      {mode.kind === 'HOLD'
        ? t('sell:mode.holdWords')
        : t('sell:mode.completeWords', { amount: money(mode.heldMinor, currency) })}
    </strong>
  );
}

interface OptionWordsProps {
  readonly draft: Draft;
  /** Unless the list of the tips tells it. */
  readonly tipMinor: number;
  readonly currency: string;
}

/** What the folded options add to the amount, in words. */
function OptionWords({ draft, tipMinor, currency }: OptionWordsProps) {
  const { t } = useTexts();
  const money = useMoney();
  const words = [
    tipMinor === 0 ? [] : [t('sell:options.withTip', { amount: money(tipMinor, currency) })],
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
