import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { MAX_REFERENCE_ID_CHARACTERS } from '../../../app/contract/limits.ts';
import type { RequestedEntryMode } from '../../../app/contract/transactions.ts';
import { formatMinor } from '../../../app/domain/money.ts';
import { SidePanel } from '../../components/side-panel.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { type Draft, withoutTip } from './draft.ts';
import { parseAmount } from './sale-amounts.ts';

export interface SaleOptionsProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly terminal: TerminalView;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Most that the merchant allows as a typed tip, in minor units; 0: none may be typed. undefined where it says nothing of tips. */
  readonly largestTipMinor: number | undefined;
}

/** What most sales do without: tip, cash-back where the terminal can, reference, how the card is read. */
export function SaleOptions({ isOpen, onClose, terminal, draft, onChange, largestTipMinor }: SaleOptionsProps) {
  const { t } = useTexts();
  const { currency, capabilities } = terminal;
  return (
    <SidePanel title={t('sell:options.open')} isOpen={isOpen} onClose={onClose} width="420px" returnsFocus={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        <Stack>
          {largestTipMinor === 0 ? null : (
            <AmountField
              label={t('sell:options.tip')}
              currency={currency}
              amountMinor={draft.tipMinor}
              largestMinor={largestTipMinor}
              onChange={(tipMinor) => onChange({ ...withoutTip(draft), tipMinor })}
            />
          )}
          {capabilities.cashback ? (
            <AmountField
              label={t('sell:options.cashback')}
              currency={currency}
              amountMinor={draft.cashbackMinor}
              onChange={(cashbackMinor) => onChange({ ...draft, cashbackMinor })}
            />
          ) : null}
          <TextInput
            label={t('sell:options.reference')}
            value={draft.reference}
            maxLength={MAX_REFERENCE_ID_CHARACTERS}
            autoComplete="off"
            onChange={(event) => onChange({ ...draft, reference: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('sell:options.entryMode')}
            value={draft.entryMode}
            onChange={(event) => onChange({ ...draft, entryMode: event.currentTarget.value as RequestedEntryMode })}
            data={[
              { value: 'AUTO', label: t('sell:entryMode.auto') },
              { value: 'CONTACTLESS', label: t('sell:entryMode.contactless') },
              { value: 'CONTACT', label: t('sell:entryMode.contact') },
            ]}
          />
          <Button type="submit" size="lg">
            {t('sell:options.done')}
          </Button>
        </Stack>
      </form>
    </SidePanel>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly largestMinor?: number | undefined;
  readonly onChange: (amountMinor: number) => void;
}

function AmountField({ label, currency, amountMinor, largestMinor, onChange }: AmountFieldProps) {
  const { t } = useTexts();
  const money = useMoney();
  const exponent = exponentOf(currency);
  const [text, setText] = useState(amountMinor === 0 ? '' : formatMinor(amountMinor, exponent));
  const isWrong = text.trim() !== '' && parseAmount(text, exponent) === undefined;
  const isTooLarge = largestMinor !== undefined && amountMinor > largestMinor;
  const tooLarge = isTooLarge ? t('sell:options.atMost', { amount: money(largestMinor, currency) }) : undefined;
  return (
    <TextInput
      label={`${label} (${currency})`}
      value={text}
      inputMode="decimal"
      autoComplete="off"
      error={isWrong ? t('sell:options.notAnAmount') : tooLarge}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        onChange(parseAmount(typed, exponent) ?? 0);
      }}
    />
  );
}
