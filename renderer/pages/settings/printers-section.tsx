import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { PrinterSetting } from '../../../app/contract/printers.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { ResultText } from '../printing/print-actions.tsx';
import { usePrint, usePrinters } from '../printing/use-printing.ts';
import { PrinterForm } from './printer-form.tsx';
import styles from './settings-page.module.css';

/** The receipt printers of the till: each with a test, and a form of its own. */
export function PrintersSection() {
  const { t } = useTexts();
  const query = usePrinters();
  const [editing, setEditing] = useState<PrinterSetting | 'NEW'>();
  const close = () => setEditing(undefined);
  return (
    <section className={styles.card} aria-labelledby="settings-printers">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} id="settings-printers">
            {t('printing:settings.title')}
          </Title>
          <Button size="lg" leftSection={<IconPlus size={22} aria-hidden />} onClick={() => setEditing('NEW')}>
            {t('printing:settings.add')}
          </Button>
        </Group>
        <Text c="dimmed">{t('printing:settings.text')}</Text>
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <LoadingState />
        ) : query.data.printers.length === 0 ? (
          <Text>{t('printing:settings.none')}</Text>
        ) : (
          <ul className={styles.staff}>
            {query.data.printers.map(({ setting }) => (
              <Printer key={setting.printerId} printer={setting} onEdit={() => setEditing(setting)} />
            ))}
          </ul>
        )}
      </Stack>
      <SidePanel
        title={
          editing === 'NEW' || editing === undefined
            ? t('printing:settings.add')
            : t('printing:settings.editName', { name: editing.name })
        }
        isOpen={editing !== undefined}
        onClose={close}
        width="520px"
      >
        {editing === undefined ? null : (
          <PrinterForm printer={editing === 'NEW' ? undefined : editing} onDone={close} />
        )}
      </SidePanel>
    </section>
  );
}

function Printer({ printer, onEdit }: { readonly printer: PrinterSetting; readonly onEdit: () => void }) {
  const { t } = useTexts();
  const api = useConsole();
  const refusalText = useRefusalText();
  const { printerId, name, url } = printer;
  const test = usePrint(() => api.call('printing.test', { printerId }));
  return (
    <li className={styles.member}>
      <span className={styles.name}>
        <Text fw={600}>{name}</Text>
        <Text className="code">{url}</Text>
        <Text role="status">
          {test.error !== null ? refusalText(test.error).sentence : <ResultText result={test.data} isTest />}
        </Text>
      </span>
      <Button
        variant="default"
        leftSection={<IconPrinter size={20} aria-hidden />}
        aria-label={t('printing:settings.testName', { name })}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        {t('printing:settings.test')}
      </Button>
      <Button variant="default" aria-label={t('printing:settings.editName', { name })} onClick={onEdit}>
        {t('printing:settings.edit')}
      </Button>
    </li>
  );
}
