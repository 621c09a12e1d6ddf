import type { TerminalProgress } from '../../app/ports/terminal.ts';

/** What a terminal in Italy shows its cardholder while it works. What it says of approval or refusal decides nothing and is not passed on. */
const patterns: readonly (readonly [RegExp, (text: string) => TerminalProgress])[] = [
  [
    /APPROVAT|AUTORIZZAT|ESEGUIT|NEGAT|RIFIUTAT|ANNULLAT/i,
    () => ({ step: 'PROCESSING', message: 'The terminal shows its result' }),
  ],
  [/\bPIN\b/i, () => ({ step: 'PIN_REQUIRED' })],
  [/(INSERI|AVVICINA|STRISCIA|PASSA|PRESENTA).*\bCARTA\b/i, (message) => ({ step: 'WAITING_FOR_CARD', message })],
];

/** A progress text in the words of the port. */
export function progressOfText(shown: string): TerminalProgress {
  const text = shown.trim();
  const known = patterns.find(([pattern]) => pattern.test(text));
  if (known !== undefined) return known[1](text);
  return { step: 'PROCESSING', message: text === '' ? 'The terminal is at work' : text };
}
