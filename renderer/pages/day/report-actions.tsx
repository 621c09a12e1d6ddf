import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConsole } from '../../hooks/console-context.ts';
import { PrintActions } from '../printing/print-actions.tsx';

export interface ReportActionsProps {
  /** A closed day's report, or the X report of a terminal. */
  readonly of: { readonly settlementId: string } | { readonly terminalId: string };
  /** What the button of the system's printer says. */
  readonly printText: string;
  /** Further buttons of the same row. */
  readonly children?: ReactNode;
}

/** A report on the receipt printer, as PDF, and on the system's printer: there it is what the page puts on its print sheet. */
export function ReportActions({ of, printText, children }: ReportActionsProps) {
  const api = useConsole();
  return (
    <PrintActions
      print={(printerId) => api.call('printing.report', { ...of, printerId })}
      file={() => api.call('printing.reportFile', of)}
    >
      {children}
      <Button
        variant="default"
        leftSection={<IconPrinter size={20} aria-hidden />}
        onClick={() => {
          window.print();
        }}
      >
        {printText}
      </Button>
    </PrintActions>
  );
}
