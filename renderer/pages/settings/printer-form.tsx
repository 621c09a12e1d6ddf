import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { PrinterSetting } from '../../../app/contract/printers.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';

const columns = [32, 42, 48] as const;
const codepages = ['AUTO', 'CP437', 'CP850', 'CP858', 'WINDOWS1252'] as const;
const cuts = [
  ['PARTIAL', 'printing:cut.partial'],
  ['FULL', 'printing:cut.full'],
  ['NONE', 'printing:cut.none'],
] as const;
const autoPrints = [
  ['NONE', 'printing:autoPrint.none'],
  ['CARDHOLDER', 'printing:autoPrint.cardholder'],
  ['BOTH', 'printing:autoPrint.both'],
] as const;

export interface PrinterFormProps {
  /** Undefined: a new one. */
  readonly printer: PrinterSetting | undefined;
  readonly onDone: () => void;
}

/** Where a printer is and how it prints; a change asks for a manager's PIN where the role needs it. */
export function PrinterForm({ printer, onDone }: PrinterFormProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const [value, setValue] = useState<PrinterSetting>(() => printer ?? newPrinter());
  const edit = (change: Partial<PrinterSetting>) => setValue((before) => ({ ...before, ...change }));
  const { save, remove } = usePrinterCalls(value, onDone);
  const isComplete = value.name.trim() !== '' && value.url.trim() !== '';
  const error = save.error ?? remove.error;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !save.isBusy) save.start({});
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={t('printing:settings.name')}
          maxLength={40}
          autoComplete="off"
          value={value.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('printing:settings.url')}
          description={t('printing:settings.urlHint')}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          value={value.url}
          onChange={(event) => edit({ url: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('printing:settings.columns')}
          value={String(value.columns)}
          data={columns.map(String)}
          onChange={(event) =>
            edit({ columns: columns.find((one) => String(one) === event.currentTarget.value) ?? 42 })
          }
        />
        <NativeSelect
          label={t('printing:settings.codepage')}
          value={value.codepage}
          data={codepages.map((one) => ({ value: one, label: one === 'AUTO' ? t('printing:settings.auto') : one }))}
          onChange={(event) =>
            edit({ codepage: codepages.find((one) => one === event.currentTarget.value) ?? value.codepage })
          }
        />
        <NativeSelect
          label={t('printing:settings.cut')}
          value={value.cut}
          data={cuts.map(([one, word]) => ({ value: one, label: t(word) }))}
          onChange={(event) => edit({ cut: cuts.find(([one]) => one === event.currentTarget.value)?.[0] ?? value.cut })}
        />
        <NativeSelect
          label={t('printing:settings.autoPrint')}
          value={value.autoPrint}
          data={autoPrints.map(([one, word]) => ({ value: one, label: t(word) }))}
          onChange={(event) =>
            edit({ autoPrint: autoPrints.find(([one]) => one === event.currentTarget.value)?.[0] ?? value.autoPrint })
          }
        />
        <Text role="alert" c="var(--bad)">
          {error === null ? '' : refusalText(error).sentence}
        </Text>
        <Button type="submit" size="lg" disabled={!isComplete} loading={save.isBusy}>
          {t('printing:settings.save')}
        </Button>
        {printer === undefined ? null : (
          <Button variant="default" size="lg" loading={remove.isBusy} onClick={() => remove.start({})}>
            {t('printing:settings.remove')}
          </Button>
        )}
      </Stack>
      <ConfirmWithPin title={t('printing:settings.approve')} {...save.dialog} />
      <ConfirmWithPin title={t('printing:settings.approve')} {...remove.dialog} />
    </form>
  );
}

function newPrinter(): PrinterSetting {
  const printerId = `p-${crypto.randomUUID().slice(0, 8)}`;
  return { printerId, name: '', url: '', columns: 42, codepage: 'CP858', cut: 'PARTIAL', autoPrint: 'NONE' };
}

function usePrinterCalls(value: PrinterSetting, onDone: () => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const onSuccess = () => {
    void queryClient.invalidateQueries({ queryKey: ['printing.printers'] });
    onDone();
  };
  const approvalOf = (approval: Approval | undefined) => (approval === undefined ? {} : { approval });
  const printer = { ...value, name: value.name.trim(), url: value.url.trim() };
  const save = useApprovedCall({
    call: (_request: object, approval) => api.call('printing.savePrinter', { printer, ...approvalOf(approval) }),
    onSuccess,
  });
  const remove = useApprovedCall({
    call: (_request: object, approval) =>
      api.call('printing.removePrinter', { printerId: value.printerId, ...approvalOf(approval) }),
    onSuccess,
  });
  return { save, remove };
}
