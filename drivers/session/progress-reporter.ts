import type { ExchangeHooks, TerminalProgress } from '../../app/ports/terminal.ts';

/** Passes progress on; what repeats the step before word for word is left out. */
export function createProgressReporter(hooks: Pick<ExchangeHooks, 'onProgress'>): (progress: TerminalProgress) => void {
  let last = '';
  return (progress) => {
    const text = JSON.stringify(progress);
    if (text === last) return;
    last = text;
    try {
      hooks.onProgress(progress);
    } catch {
      // A screen that fails to show progress must not end a payment.
    }
  };
}
