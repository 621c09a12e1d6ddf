import { Type } from 'typebox';
import { MAX_ID_CHARACTERS } from '../limits.ts';
import { text } from '../parts.ts';
import { MAX_NAME_CHARACTERS } from './host-limits.ts';

/** Small schemas that the host's wire shapes are made of, beside those of ../parts.ts. */

export const strict = { additionalProperties: false } as const;

/** An identifier that the host or a till has drawn at random; one spelling only, so that one payment has one name. */
export const PaymentId = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'UUID in lower case; identifier of the payment.',
  examples: ['6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10'],
});

/** An id in a path: what names nothing is not found, whatever its form. */
export const PaymentPathId = text(MAX_ID_CHARACTERS, 'Identifier of the payment.');

/** The name that a till gives a payment before the first try (decisions: authorize additions). */
export const HostTransactionId = Type.String({
  pattern: `^[\\x21-\\x7e]{1,${MAX_ID_CHARACTERS}}$`,
  description: `Name that the till gave the payment before the first try: 1 to ${MAX_ID_CHARACTERS} visible ASCII characters, one name per payment. A UUID in lower case becomes the id of the payment, too.`,
  examples: ['6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10'],
});

export const MerchantId = text(MAX_ID_CHARACTERS, 'Merchant identifier.');
export const HostTerminalId = text(MAX_ID_CHARACTERS, 'Terminal identifier, as the host has provisioned it.');
export const DeviceId = text(MAX_ID_CHARACTERS, 'Identifier of the device that is paired as this terminal.');
export const SessionId = text(MAX_ID_CHARACTERS, 'Identifier of the payment session.');

/** Whole bytes as hex, in either case. */
export function hex(maxLength: number, description: string) {
  return Type.String({ pattern: '^([0-9A-Fa-f]{2})+$', maxLength, description });
}

/** A name of an open list: known values are examples, others are taken as they come (decisions: Open enums). */
export function openName(examples: readonly string[], description: string) {
  return Type.String({
    minLength: 1,
    maxLength: MAX_NAME_CHARACTERS,
    examples: [...examples],
    description: `${description} Known values: ${examples.join(', ')}; others may follow.`,
  });
}

export const TipSource = Type.String({
  pattern: '^(preset:(0|[1-9][0-9]{0,4})|fixed:(0|[1-9][0-9]{0,15})|custom|none)$',
  description:
    'How the tip was chosen: preset:<basis points>, fixed:<minor units>, custom, or none (no tip). Absent when nobody was asked.',
  examples: ['preset:1500', 'fixed:200', 'custom', 'none'],
});
