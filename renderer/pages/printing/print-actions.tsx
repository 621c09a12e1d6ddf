import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconFileDownload, IconReceipt } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { PrintResult } from '../../../app/contract/console/printing.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { troubleWords } from './printing-words.ts';
import { useFile, usePrint, usePrinters } from './use-printing.ts';

export interface PrintActionsProps {
  readonly print: (printerId: string) => Promise<PrintResult>;
  readonly file: () => Promise<{ readonly url: string }>;
  /** Further buttons of the same row. */
  readonly children?: ReactNode;
}

/** Prints on a receipt printer of the till, where there is one, and saves as PDF. */
export function PrintActions({ print, file, children }: PrintActionsProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const printers = usePrinters().data?.printers ?? [];
  const [chosen, setChosen] = useState<string>();
  const printerId = chosen ?? printers[0]?.setting.printerId;
  const printing = usePrint(print);
  const saving = useFile(file);
  const error = printing.error ?? saving.error;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {printerId === undefined ? null : (
          <Button
            variant="default"
            leftSection={<IconReceipt size={20} aria-hidden />}
            loading={printing.isPending}
            onClick={() => printing.mutate(printerId)}
          >
            {t('printing:receiptPrinter')}
          </Button>
        )}
        {printers.length > 1 ? (
          <NativeSelect
            aria-label={t('printing:printer')}
            value={printerId}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={printers.map(({ setting }) => ({ value: setting.printerId, label: setting.name }))}
          />
        ) : null}
        <Button
          variant="default"
          leftSection={<IconFileDownload size={20} aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate(undefined)}
        >
          {t('printing:savePdf')}
        </Button>
        {children}
      </Group>
      <Text role="status" mih={24}>
        {error !== null ? refusalText(error).sentence : <ResultText result={printing.data} />}
      </Text>
    </Stack>
  );
}

export interface ResultTextProps {
  readonly result: PrintResult | undefined;
  /** Nothing is kept of a test. */
  readonly isTest?: boolean;
}

/** What became of a print, in a sentence. */
export function ResultText({ result, isTest = false }: ResultTextProps) {
  const { t } = useTexts();
  if (result === undefined) return null;
  if (result.state === 'PRINTED') return t('printing:result.printed');
  const reason = t(troubleWords[result.trouble ?? 'NOT_ANSWERING']);
  if (isTest) return reason;
  return `${reason} ${t(result.state === 'WAITING' ? 'printing:result.waiting' : 'printing:result.failed')}`;
}
