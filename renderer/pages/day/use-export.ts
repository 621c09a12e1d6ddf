import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { CsvFormat } from '../../../app/contract/console/exports.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { Formats } from '../../i18n/formats.ts';
import type { TimeRange } from './use-day.ts';

/** What is exported: payments or closes of a time, or one Z report. */
export type ExportOf =
  | { readonly kind: 'PAYMENTS' | 'CLOSES'; readonly range: TimeRange }
  | { readonly kind: 'REPORT'; readonly settlementId: string };

/** Has a table made and lets the browser save it. */
export function useExport() {
  const api = useConsole();
  const { formats, language } = useTexts();
  const format = { ...csvFormatOf(formats), language };
  return useApprovedCall({
    call(wanted: ExportOf, approval: Approval | undefined) {
      const more = { format, ...(approval === undefined ? {} : { approval }) };
      if (wanted.kind === 'REPORT') {
        return api.call('exports.report', { settlementId: wanted.settlementId, ...more });
      }
      const name = wanted.kind === 'PAYMENTS' ? 'exports.transactions' : 'exports.settlements';
      return api.call(name, { ...wanted.range, ...more });
    },
    onSuccess({ url, fileName }) {
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
    },
  });
}

/** A spreadsheet whose language writes 1,50 takes a comma for the decimal sign and looks for semicolons between fields. */
function csvFormatOf(formats: Formats): CsvFormat {
  const decimal = formats
    .number({})
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  return decimal === ',' ? { delimiter: ';', decimal: ',' } : { delimiter: ',', decimal: '.' };
}
