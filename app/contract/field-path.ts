import { looksLikeCardNumber } from './card-number.ts';

/** A key of an object or an index of an array. */
export type PathStep = string | number;

const plainName = /^[A-Za-z0-9_$.-]{1,64}$/;

/**
 * A path as messages write it: `metadata.table`, `lines[2]`. Names come from the caller and are shown only when they are plain
 * words; the path ends before a name that is not. Undefined when nothing is left to name.
 */
export function fieldLabel(path: readonly PathStep[]): string | undefined {
  let label = '';
  for (const step of path) {
    if (typeof step === 'number') {
      label += `[${step}]`;
    } else {
      if (!plainName.test(step) || looksLikeCardNumber(step)) break;
      label += label === '' ? step : `.${step}`;
    }
  }
  return label === '' ? undefined : label;
}
