import { assertNoPanIn } from '../contract/card-number.ts';
import { fieldLabel, type PathStep } from '../contract/field-path.ts';

/** Ids of ours, by themselves or in a key: their digits and dashes say nothing, and by chance could look like a card number. */
const uuid = /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi;

/**
 * No text of a command may be a card number, whatever field it stands in: it is kept, printed or shown (decisions: PAN-shaped text).
 * @throws BridgeError INVALID_REQUEST naming the field; the text is not repeated
 */
export function refuseCardNumbers(value: unknown, path: readonly PathStep[] = []): void {
  if (typeof value === 'string') {
    assertNoPanIn(fieldLabel(path) ?? 'a field', value.replace(uuid, 'id'));
  } else if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) refuseCardNumbers(part, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      assertNoPanIn(fieldLabel(path) ?? 'a field', name);
      refuseCardNumbers(part, [...path, name]);
    }
  }
}
