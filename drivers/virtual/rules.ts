/** Outcomes and faults that the next payment can be told to meet (decisions section 6, and a few more of the same kind). */
export const FAULT_RULES = [
  'slow',
  'no-answer',
  'busy',
  'drop-before-host',
  'drop-after-host',
  'drop-after-final',
  'duplicate-reply',
  'late-approval-after-abort',
  'half-frame',
  'noise',
  'unplug',
  'reboot',
  'cardholder-cancel',
  'wrong-amount',
  'no-result-code',
  'out-of-paper',
  'day-close-needed',
  'needs-initialisation',
] as const;

type FaultRule = (typeof FAULT_RULES)[number];
/** `decline-NN`, NN the issuer's answer, or a fault. */
export type Rule = FaultRule | `decline-${string}`;

/** Faults that happen now, payment or not. Those from out-of-paper on stay until the matching command, or the fault behind each, ends them. */
export const IMMEDIATE_FAULTS = [
  'drop',
  'unplug',
  'reboot',
  'noise',
  'out-of-paper',
  'paper',
  'day-close-needed',
  'needs-initialisation',
  'idle-abort-completed',
  'idle-abort-acknowledged',
] as const;
export type ImmediateFault = (typeof IMMEDIATE_FAULTS)[number];

/** Reads a rule by name; undefined for one that does not exist. */
export function parseRule(text: string): Rule | undefined {
  if (/^decline-(0[1-9]|[1-9][0-9])$/.test(text)) return text as Rule;
  return FAULT_RULES.find((rule) => rule === text);
}

/** The issuer's answer 1–99 of a `decline-NN`. */
export function declineCode(rule: Rule | null): number | undefined {
  return rule?.startsWith('decline-') === true ? Number(rule.slice('decline-'.length)) : undefined;
}

/** A rule waiting for payments to come. */
export interface ArmedRule {
  readonly rule: Rule;
  readonly times: number;
}

/** Takes the rule of the next payment. */
export function takeRule(armed: ArmedRule | null): { readonly rule: Rule | null; readonly left: ArmedRule | null } {
  if (armed === null) return { rule: null, left: null };
  return { rule: armed.rule, left: armed.times > 1 ? { ...armed, times: armed.times - 1 } : null };
}
