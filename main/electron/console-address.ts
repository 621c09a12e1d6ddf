/** The console's own scheme in the shell. Electron's pages under it are a secure, standard origin of their own, and never files. */
export const CONSOLE_SCHEME = 'app';
const consoleHost = 'console';

export const CONSOLE_URL = `${CONSOLE_SCHEME}://${consoleHost}/`;

/** Judged by a parser, never by how the text begins. */
export function isConsoleUrl(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return (
    parsed?.protocol === `${CONSOLE_SCHEME}:` && parsed.host === consoleHost && parsed.username + parsed.password === ''
  );
}
