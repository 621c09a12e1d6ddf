import { Type } from 'typebox';
import { amountEndings } from '../../app/contract/simulation-rules.ts';

/** What the simulator plays besides the truth, as data (decisions section 6). Booked is always what is true; a fault changes what is told. */
const faults = {
  'no-answer': 'booked, and never answered',
  slow: 'booked at once, answered after the slow time',
  'late-booking': 'booked and answered after the slow time',
  'duplicate-reply': 'answered twice',
  'drop-before-host': 'the connection drops, nothing is booked',
  'drop-after-host': 'booked, then the connection drops instead of an answer',
  'lost-before-host': 'nothing is booked and nothing is answered',
  'wrong-amount': 'answered with another amount than was asked',
  'wrong-currency': 'answered with another currency',
  'wrong-operation': 'answered with another operation',
  'wrong-terminal': 'answered with another terminal',
  'half-line': 'booked; half of the answer, then the connection drops',
  noise: 'booked; bytes that are no answer, and no answer',
  'partial-approval': 'approved for half of the amount (10)',
  'wrong-issuer-data': 'the chip is told another cryptogram of its issuer (tag 91)',
  'issuer-scripts': 'the chip is told a script before and one after its last word (tags 71 and 72)',
  'wrong-totals': 'a batch is closed with other totals than the host counts',
} as const;
export type Fault = keyof typeof faults;
const faultNames = Object.keys(faults) as readonly Fault[];

const codePattern = 'decline-[0-9A-Z]{2}|booked-[0-9A-Z]{2}';

/** decline-NN: that code, nothing booked as approved. booked-NN: approved in the book, that code in the answer. Or a fault. */
export const SimulatorRule = Type.Unsafe<string>({
  type: 'string',
  pattern: `^(${codePattern}|${faultNames.join('|')})$`,
  description: 'decline-NN, booked-NN or a fault.',
});

export type Rule =
  | { readonly kind: 'DECLINE'; readonly code: string; readonly name: string }
  | { readonly kind: 'BOOKED'; readonly code: string; readonly name: string }
  | { readonly kind: 'FAULT'; readonly fault: Fault; readonly name: string };

export const ruleNames: readonly string[] = ['decline-NN', 'booked-NN', ...faultNames];

/** The rule of a name; undefined when there is none. */
export function parseRule(name: string): Rule | undefined {
  const [, kind, code] = /^(decline|booked)-([0-9A-Z]{2})$/.exec(name) ?? [];
  if (kind === 'decline' && code !== undefined && code !== '00') return { kind: 'DECLINE', code, name };
  if (kind === 'booked' && code !== undefined) return { kind: 'BOOKED', code, name };
  const fault = faultNames.find((known) => known === name);
  return fault === undefined ? undefined : { kind: 'FAULT', fault, name };
}

/** The code that the amount chooses: the last two minor digits of what was bought, without tip and cash-back (decisions section 6). */
export function codeOfAmount(amount: {
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly cashbackMinor: number;
}): string {
  const goodsMinor = amount.amountMinor - amount.tipMinor - amount.cashbackMinor;
  const ending = String(((goodsMinor % 100) + 100) % 100).padStart(2, '0');
  return amountEndings.includes(ending) ? ending : '00';
}
