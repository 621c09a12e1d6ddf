import { describe, expect, test } from 'vitest';
import { decodeCommand, encodeCommand } from '../../../drivers/ecr17/codec/commands.ts';
import { decodeMessage, encodeMessage } from '../../../drivers/ecr17/codec/messages.ts';
import { bytesOf } from '../../support/hex.ts';
import { ECR17_FIXTURE, type Ecr17FixtureItem, textOf } from './fixture.ts';
import { compared } from './fixture-checks.ts';

/** Texts that are messages; the others are for the framing alone. */
const MESSAGES = ECR17_FIXTURE.filter(({ expect }) => expect.code !== undefined).map(
  (item) => [item.id, item, textOf(bytesOf(item.hex).subarray(1, -2))] as const,
);

/** Terminals may end a message early. Ours ends it where the table does: what the fixture has is the beginning. */
const SHORT: ReadonlySet<string> = new Set([
  'reply-dcc-short',
  'reply-close-ko',
  'reply-preauth',
  'reply-preauth-leak',
]);
const decodeItem = ({ direction }: Ecr17FixtureItem, text: string) =>
  direction === 'ecr->pt' ? decodeCommand(text) : decodeMessage(text);

describe('Foreign messages of ECR17', () => {
  test('both directions are there', () => {
    expect(MESSAGES.filter(([, { direction }]) => direction === 'ecr->pt').length).toBeGreaterThan(20);
    expect(MESSAGES.filter(([, { direction }]) => direction === 'pt->ecr').length).toBeGreaterThan(25);
  });

  test.each(MESSAGES)('%s means what the fixture says', (_, item, text) => {
    const decoded = decodeItem(item, text);
    if (decoded.type === 'malformed') throw new Error(`malformed: ${decoded.reason} ${decoded.field}`);
    expect(decoded.type).not.toBe('unknown');
    expect(text.charAt(9)).toBe(item.expect.code);
    const { ours, theirs } = compared(item.expect, decoded);
    expect(ours).toEqual(theirs);
  });

  test.each(MESSAGES)('%s is encoded as the fixture has it', (id, item, text) => {
    const encoded =
      item.direction === 'ecr->pt'
        ? encodeCommand(decodeCommand(text) as Exclude<ReturnType<typeof decodeCommand>, { type: 'malformed' }>)
        : encodeMessage(decodeMessage(text) as Exclude<ReturnType<typeof decodeMessage>, { type: 'malformed' }>);
    if (SHORT.has(id)) expect(encoded.slice(0, text.length)).toBe(text);
    else expect(encoded).toBe(text);
  });
});
