import type { NeoCommand } from './command-types.ts';

/** Types of the commands this codec has a meaning for. */
export type KnownCommandType = Exclude<NeoCommand['type'], 'unknown'>;

/** Command × 256 + sub-command of each command. */
const SELECTORS: Readonly<Record<KnownCommandType, number>> = {
  'set-poll-mode': 0x0101,
  activate: 0x0240,
  'get-configuration': 0x0302,
  'get-transaction-result': 0x0340,
  'set-configuration': 0x0400,
  cancel: 0x0501,
  stop: 0x0502,
  ping: 0x1801,
  'get-firmware': 0x2900,
  'exchange-apdu': 0x2c13,
  'card-off': 0x2c18,
  'start-contact': 0x6010,
  authenticate: 0x6011,
  'apply-response': 0x6012,
  'get-contact-result': 0x6013,
  'display-answer': 0x6101,
  'cancel-entry': 0x6200,
  'get-encrypted-pin': 0x6201,
  'get-function-key': 0x6202,
  'get-amount': 0x6204,
};

const TYPES: ReadonlyMap<number, KnownCommandType> = new Map(
  (Object.keys(SELECTORS) as KnownCommandType[]).map((type) => [SELECTORS[type], type]),
);

/** Command byte and sub-command of a command. */
export function commandCodes(type: KnownCommandType): { readonly command: number; readonly code: number } {
  const selector = SELECTORS[type];
  return { command: selector >> 8, code: selector & 0xff };
}

/** The command that has these codes. */
export function commandType(command: number, code: number): KnownCommandType | undefined {
  return TYPES.get(command * 256 + code);
}
