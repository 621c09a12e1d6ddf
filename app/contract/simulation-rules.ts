import { BridgeError } from './errors.ts';

/** How sandbox and training mode choose an outcome (decisions section 6). Only where no real money can move. */

/** Endings of `amount` (last two minor digits) that make the issuer answer with that code; every other ending approves with 00. */
export const amountEndings: readonly string[] = [
  ...['01', '04', '05', '12', '14', '41', '43', '51', '54', '55'],
  ...['57', '59', '61', '62', '65', '75', '91', '96'],
];

/** Outcomes and faults that `metadata.simulate` may name besides `decline-NN`. */
export const simulatedFaults = [
  'slow',
  'no-answer',
  'busy',
  'drop-before-host',
  'drop-after-host',
  'duplicate-reply',
  'late-approval-after-abort',
  'half-frame',
  'noise',
  'unplug',
  'reboot',
  'cardholder-cancel',
] as const;
type SimulatedFault = (typeof simulatedFaults)[number];

/** The key of metadata that names an outcome or fault. */
const SIMULATE_KEY = 'simulate';

export type SimulationRule =
  | { readonly kind: 'APPROVE'; readonly issuerCode: '00' }
  | { readonly kind: 'DECLINE'; readonly issuerCode: string; readonly rule: string }
  | { readonly kind: 'FAULT'; readonly fault: SimulatedFault; readonly rule: string };

function isSimulatedFault(name: string): name is SimulatedFault {
  return simulatedFaults.some((fault) => fault === name);
}

/** The issuer's code that the last two minor digits of `amount` choose: 3675 → 75, 1000 → 00. */
function issuerCodeForAmount(amountMinor: number): string {
  const ending = String(amountMinor % 100).padStart(2, '0');
  return amountEndings.includes(ending) ? ending : '00';
}

/**
 * The rule of a `metadata.simulate` name.
 * @throws BridgeError INVALID_REQUEST naming metadata.simulate: a name that is misspelt would quietly charge
 */
export function ruleOfName(name: string): SimulationRule {
  const code = /^decline-([0-9A-Z]{2})$/.exec(name)?.[1];
  if (code !== undefined && code !== '00') return { kind: 'DECLINE', issuerCode: code, rule: name };
  if (isSimulatedFault(name)) return { kind: 'FAULT', fault: name, rule: name };
  const field = `metadata.${SIMULATE_KEY}`;
  throw new BridgeError('INVALID_REQUEST', `${field} must be decline-NN or one of ${simulatedFaults.join(', ')}`, {
    field,
  });
}

/** What a request asks the sandbox to play; the name in metadata wins over the amount. Tip and cash-back do not count. */
export function simulationRule(request: {
  readonly amount: number;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}): SimulationRule {
  const { metadata } = request;
  const name = metadata !== undefined && Object.hasOwn(metadata, SIMULATE_KEY) ? metadata[SIMULATE_KEY] : undefined;
  if (name !== undefined) return ruleOfName(name);
  const issuerCode = issuerCodeForAmount(request.amount);
  if (issuerCode === '00') return { kind: 'APPROVE', issuerCode };
  return { kind: 'DECLINE', issuerCode, rule: `amount-ending-${issuerCode}` };
}
