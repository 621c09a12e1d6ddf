import { describe, expect, test } from 'vitest';
import { amountEndings, ruleOfName, simulatedFaults, simulationRule } from '../../app/contract/simulation-rules.ts';
import { decisions } from './spec-document.ts';

const section = decisions.slice(decisions.indexOf('## 6.'));

describe('the rules of the sandbox', () => {
  test('are the endings and names of the decisions', () => {
    const endings = section.match(/^(\d\d )+\d\d/m)?.[0].split(' ') ?? [];
    expect(endings).toHaveLength(18);
    expect(amountEndings).toEqual(endings);
    const names = [...section.matchAll(/`([a-z-]+)`/g)]
      .map(([, name]) => name)
      .filter((name) => !['amount', 'simulated'].includes(String(name)));
    expect([...simulatedFaults].sort()).toEqual(names.sort());
  });

  test.each([
    [3675, { kind: 'DECLINE', issuerCode: '75', rule: 'amount-ending-75' }],
    [101, { kind: 'DECLINE', issuerCode: '01', rule: 'amount-ending-01' }],
    [5, { kind: 'DECLINE', issuerCode: '05', rule: 'amount-ending-05' }],
    [1000, { kind: 'APPROVE', issuerCode: '00' }],
    [1099, { kind: 'APPROVE', issuerCode: '00' }],
    [0, { kind: 'APPROVE', issuerCode: '00' }],
    [9007199254740991, { kind: 'DECLINE', issuerCode: '91', rule: 'amount-ending-91' }],
  ])('amount %i', (amount, rule) => {
    expect(simulationRule({ amount })).toEqual(rule);
  });

  test('a name in metadata wins over the amount', () => {
    expect(simulationRule({ amount: 1051, metadata: { simulate: 'slow' } })).toEqual({
      kind: 'FAULT',
      fault: 'slow',
      rule: 'slow',
    });
    expect(simulationRule({ amount: 1000, metadata: { simulate: 'decline-51' } })).toEqual({
      kind: 'DECLINE',
      issuerCode: '51',
      rule: 'decline-51',
    });
    expect(simulationRule({ amount: 1000, metadata: { other: 'slow' } })).toEqual({
      kind: 'APPROVE',
      issuerCode: '00',
    });
  });

  test.each(['', 'Slow', 'decline-', 'decline-5', 'decline-00', 'decline-511', 'constructor'])(
    'the name %j is refused, for it would quietly charge',
    (name) => {
      expect(() => ruleOfName(name)).toThrow(/^metadata\.simulate must be /);
    },
  );
});
