/** Outcomes and faults that the next payment can be told to meet (decisions section 6, and a few more of the same kind). */
const COMMON_RULES = [
  'slow',
  'no-answer',
  'busy',
  'drop-before-host',
  'drop-after-host',
  'duplicate-reply',
  'half-frame',
  'noise',
  'unplug',
  'reboot',
  'cardholder-cancel',
  'wrong-amount',
] as const;

export const ZVT_RULES = [
  ...COMMON_RULES,
  'late-approval-after-abort',
  'drop-after-final',
  'no-result-code',
  'out-of-paper',
  'day-close-needed',
  'needs-initialisation',
] as const;

/** A reader has no host behind it: what the issuer says comes from the till, so that `decline-NN` is taken and changes nothing here. */
export const NEO2_RULES = [
  ...COMMON_RULES,
  'late-approval-after-abort',
  'drop-before-chip',
  'chip-refuses-after-approval',
  'card-removed',
  'offline-approval',
  'clear-card-data',
] as const;

/** Nobody can stop an ECR17 payment from the till, so that none is approved after that. */
export const ECR17_RULES = [
  ...COMMON_RULES,
  'drop-after-final',
  'no-extended',
  'lost-ack',
  'wrong-lrc',
  'progress-flood',
] as const;

/** Nobody can stop a Caisse-AP payment from the till either. */
export const CAISSE_AP_RULES = [...COMMON_RULES, 'drop-after-final', 'reply-in-pieces'] as const;

type FaultRule =
  | (typeof ZVT_RULES)[number]
  | (typeof NEO2_RULES)[number]
  | (typeof ECR17_RULES)[number]
  | (typeof CAISSE_AP_RULES)[number];
/** `decline-NN`, NN the issuer's answer, or a fault. */
export type Rule = FaultRule | `decline-${string}`;

/** Faults that happen now, payment or not. Those from out-of-paper on stay until the matching command, or the fault behind each, ends them. */
const COMMON_FAULTS = ['drop', 'unplug', 'reboot', 'noise'] as const;
export const ZVT_FAULTS = [
  ...COMMON_FAULTS,
  'out-of-paper',
  'paper',
  'day-close-needed',
  'needs-initialisation',
  'idle-abort-completed',
  'idle-abort-acknowledged',
] as const;
export const NEO2_FAULTS = COMMON_FAULTS;
export const ECR17_FAULTS = COMMON_FAULTS;
export const CAISSE_AP_FAULTS = COMMON_FAULTS;
export type ImmediateFault = (typeof ZVT_FAULTS)[number];

/** What a terminal of one protocol can be told to meet. */
export interface FaultScript {
  readonly rules: readonly FaultRule[];
  readonly faults: readonly ImmediateFault[];
  /** Its issuer is its own: `decline-NN` declines. */
  readonly playsIssuer: boolean;
}

/** Reads a rule by name; undefined for one that this terminal does not have. */
export function parseRule(text: string, rules: FaultScript['rules']): Rule | undefined {
  if (/^decline-(0[1-9]|[1-9][0-9])$/.test(text)) return text as Rule;
  return rules.find((rule) => rule === text);
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
