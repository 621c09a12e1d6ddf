import { Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { PrintActions } from '../printing/print-actions.tsx';
import styles from './receipt.module.css';
import { TillReceipt } from './till-receipt.tsx';

type Copy = 'MERCHANT' | 'CUSTOMER';
type TerminalReceipt = ActivityDetail['receipts'][number];

/**
 * The receipt of a transaction: the terminal's own lines where it gave them, else what the till knows. Looked at here it is always a further copy,
 * and is marked as one.
 */
export function Receipt({ detail }: { readonly detail: ActivityDetail }) {
  const { t } = useTexts();
  const api = useConsole();
  const [chosen, setChosen] = useState<Copy>('CUSTOMER');
  const { receiptData } = detail.transaction;
  const own = detail.receipts.filter(({ kind }) => kind !== 'ADMIN');
  if (own.length === 0 && receiptData === undefined) {
    const isUnknown = detail.transaction.outcome?.charged === 'UNKNOWN';
    return <Text c="dimmed">{t(isUnknown ? 'activity:receipt.noneYet' : 'activity:receipt.none')}</Text>;
  }
  const receipt = own.find(({ kind }) => kind === chosen);
  const hasCopy = receipt !== undefined || receiptData !== undefined;
  const which = { transactionId: detail.transaction.transactionId, copy: chosen };
  const paper = (
    <div className={styles.paper} data-testid="receipt">
      <p className={styles.duplicate}>{t('activity:receipt.duplicate')}</p>
      {receipt !== undefined ? (
        <TerminalLines receipt={receipt} />
      ) : receiptData !== undefined ? (
        <TillReceipt receipt={receiptData} transaction={detail.transaction} isMerchantCopy={chosen === 'MERCHANT'} />
      ) : (
        <p>{t('activity:receipt.noCopy')}</p>
      )}
    </div>
  );
  const systemPrint = (
    <Button
      variant="default"
      leftSection={<IconPrinter size={20} aria-hidden />}
      onClick={() => {
        window.print();
      }}
    >
      {t('activity:receipt.print')}
    </Button>
  );
  return (
    <Stack gap="sm">
      <SegmentedControl
        fullWidth
        size="md"
        classNames={{ label: styles.choice }}
        aria-label={t('activity:receipt.copy')}
        value={chosen}
        onChange={(value) => setChosen(value === 'MERCHANT' ? 'MERCHANT' : 'CUSTOMER')}
        data={[
          { value: 'CUSTOMER', label: t('activity:receipt.customer') },
          { value: 'MERCHANT', label: t('activity:receipt.merchant') },
        ]}
      />
      {hasCopy ? (
        <PrintActions
          key={chosen}
          print={(printerId) => api.call('printing.receipt', { ...which, printerId })}
          file={() => api.call('printing.receiptFile', which)}
        >
          {systemPrint}
        </PrintActions>
      ) : (
        systemPrint
      )}
      {paper}
      <PrintSheet>{paper}</PrintSheet>
    </Stack>
  );
}

/** Lines exactly as the terminal had them printed. */
function TerminalLines({ receipt }: { readonly receipt: TerminalReceipt }) {
  return (
    <pre className={styles.lines}>
      {numbered(receipt.lines).map(({ number, line }) => (
        <span
          key={number}
          data-centred={line.centred === true}
          data-large={line.doubleHeight === true || line.doubleWidth === true}
        >
          {line.text === '' ? ' ' : line.text}
        </span>
      ))}
    </pre>
  );
}

/** A receipt never changes, so that a line's number names it. */
function numbered(lines: TerminalReceipt['lines']) {
  return lines.map((line, index) => ({ number: index + 1, line }));
}
