import type { SimulatorRequest } from './protocol.ts';
import type { Rule } from './rules.ts';

export type RequestType = SimulatorRequest['type'];

/** A rule for messages to come. */
export interface ArmedRule {
  readonly rule: Rule;
  /** how many messages meet it */
  readonly times: number;
  /** how many pass before */
  readonly skip: number;
  /** which kinds of message count; all when empty */
  readonly types: readonly RequestType[];
}

export interface ArmedRules {
  arm(rule: ArmedRule): void;
  disarm(): void;
  /** The rule that this message meets, used up by it. */
  take(type: RequestType): Rule | undefined;
  list(): readonly ArmedRule[];
}

/** Rules in the order in which they were armed: a message meets the first that counts it and has nothing left to skip. */
export function createArmedRules(): ArmedRules {
  let armed: readonly ArmedRule[] = [];
  return {
    arm(rule) {
      armed = [...armed, rule];
    },
    disarm() {
      armed = [];
    },
    take(type) {
      const counts = ({ types }: ArmedRule) => types.length === 0 || types.includes(type);
      const met = armed.find((each) => counts(each) && each.skip === 0);
      armed = armed
        .map((each) => {
          if (each === met) return { ...each, times: each.times - 1 };
          return counts(each) ? { ...each, skip: Math.max(0, each.skip - 1) } : each;
        })
        .filter(({ times }) => times > 0);
      return met?.rule;
    },
    list: () => armed,
  };
}
