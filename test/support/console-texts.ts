import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/** A text of the console as its catalogue has it: specs in other languages look for what people read there. */
export function consoleText(language: string, key: string, values: Readonly<Record<string, string>> = {}): string {
  const [namespace = '', path = ''] = key.split(':');
  const file =
    namespace === 'doctor' ? `app/contract/doctor/${language}.json` : `renderer/i18n/${language}/${namespace}.json`;
  const catalogue: unknown = JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
  let found: unknown = catalogue;
  for (const part of path.split('.')) found = (found as Record<string, unknown>)[part];
  if (typeof found !== 'string') throw new Error(`no text ${language}/${key}`);
  return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
