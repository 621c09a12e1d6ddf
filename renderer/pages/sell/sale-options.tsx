import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { MAX_REFERENCE_ID_CHARACTERS } from '../../../app/contract/limits.ts';
import type { RequestedEntryMode } from '../../../app/contract/transactions.ts';
import { formatMinor } from '../../../app/domain/money.ts';
import { SidePanel } from '../../components/side-panel.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import type { Draft } from './draft.ts';
import { parseAmount } from './sale-amounts.ts';

export interface SaleOptionsProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly terminal: TerminalView;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** What most sales do without: tip, cash-back where the terminal can, reference, how the card is read. */
export function SaleOptions({ isOpen, onClose, terminal, draft, onChange }: SaleOptionsProps) {
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
          <AmountField
            label={t('sell:options.tip')}
            currency={currency}
            amountMinor={draft.tipMinor}
            onChange={(tipMinor) => onChange({ ...draft, tipMinor })}
          />
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
  readonly onChange: (amountMinor: number) => void;
}

function AmountField({ label, currency, amountMinor, onChange }: AmountFieldProps) {
  const { t } = useTexts();
  const exponent = exponentOf(currency);
  const [text, setText] = useState(amountMinor === 0 ? '' : formatMinor(amountMinor, exponent));
  const isWrong = text.trim() !== '' && parseAmount(text, exponent) === undefined;
  return (
    <TextInput
      label={`${label} (${currency})`}
      value={text}
      inputMode="decimal"
      autoComplete="off"
      error={isWrong ? t('sell:options.notAnAmount') : undefined}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        onChange(parseAmount(typed, exponent) ?? 0);
      }}
    />
  );
}
