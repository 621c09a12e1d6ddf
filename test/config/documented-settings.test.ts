import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PrinterSetting } from '../../app/contract/printers.ts';
import { StoredSettings, StoredTerminal } from '../../app/contract/settings.ts';
import { validate } from '../../app/contract/validate.ts';
import { projectRoot } from '../support/project-root.ts';

const page = readFileSync(join(projectRoot, 'docs/how-to/run-a-till.md'), 'utf8');

it.each([
  ['the settings', StoredSettings],
  ['a terminal', StoredTerminal],
  ['a printer', PrinterSetting],
])('every field of %s stands in the how-to', (_, schema) => {
  const missing = Object.keys(schema.properties).filter((name) => !new RegExp(`["\`]${name}["\`]`).test(page));
  expect(missing).toEqual([]);
});

it('the example of the how-to is a file that the till takes', () => {
  const example = /```json\n(\{[\s\S]*?\n\})\n```/.exec(page)?.[1] ?? '';
  expect(() => validate(StoredSettings, JSON.parse(example))).not.toThrow();
});
