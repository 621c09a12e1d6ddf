import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../app/domain/canonical-json.ts';
import { chainHash, GENESIS, type JournalEntry } from '../../app/storage/chain.ts';

it('binds a row by the hash over its canonical JSON, whatever its texts hold', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.nat(), text, text, text, text, text, (seq, at, subjectId, terminalId, actor, body) => {
      const entry: JournalEntry = { seq, at, kind: 'TRANSACTION', subjectId, terminalId, actor, body };
      const expected = createHash('sha256').update(GENESIS.hash).update(canonicalJson(entry)).digest('hex');
      expect(chainHash(GENESIS.hash, entry)).toBe(expected);
    }),
  );
});
