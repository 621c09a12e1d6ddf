import { describe, expect, it } from 'vitest';
import { NEO2_FAULTS, NEO2_RULES, ZVT_FAULTS, ZVT_RULES } from '../../drivers/virtual/rules.ts';
import { faultGroupsOf } from '../../renderer/components/virtual-terminal/fault-words.ts';

const offered = (script: Parameters<typeof faultGroupsOf>[0]) =>
  faultGroupsOf(script).flatMap(({ rules }) => rules.map(({ rule }) => rule));

describe('what a person may let the next payment meet', () => {
  it('is all that a ZVT terminal plays, its issuer included', () => {
    const rules = offered({ rules: [...ZVT_RULES], faults: [...ZVT_FAULTS], playsIssuer: true });
    expect(rules.filter((rule) => !rule.startsWith('decline-')).sort()).toEqual([...ZVT_RULES].sort());
    expect(rules).toContain('decline-51');
  });

  it('is all that a reader plays, and no answer of an issuer that it does not have', () => {
    const rules = offered({ rules: [...NEO2_RULES], faults: [...NEO2_FAULTS], playsIssuer: false });
    expect(rules.sort()).toEqual([...NEO2_RULES].sort());
  });

  it('has no group without a choice', () => {
    expect(faultGroupsOf({ rules: [], faults: [], playsIssuer: false })).toEqual([]);
  });
});
