import type { OfferedFile } from '../ports/downloads.ts';
import type { ConsoleCall } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

/** Offers a file that leaves the till, once; who took it is in the audit before there is an address. */
export function offerExport(
  { journal, downloads, clock }: Pick<ConsoleDeps, 'journal' | 'downloads' | 'clock'>,
  call: ConsoleCall,
  file: OfferedFile,
): { readonly url: string; readonly fileName: string } {
  const { fileName } = file;
  const entry = { at: nowIso(clock), actor: call.actor, subjectId: fileName, text: fileName } as const;
  journal.commit((unit) => unit.appendAudit({ ...entry, action: 'EXPORTED' }));
  const { url } = downloads.offer(call.sessionId, file);
  return { url, fileName };
}
