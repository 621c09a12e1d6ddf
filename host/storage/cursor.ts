import { Buffer } from 'node:buffer';
import { BridgeError } from '../../app/contract/errors.ts';
import { MAX_CURSOR_CHARACTERS } from '../../app/contract/limits.ts';
import type { Page } from '../ports/host-store.ts';

/** Where a page ended: the instant at full precision, and the id that tells rows of one instant apart. */
export interface Position {
  readonly atMs: number;
  readonly id: string;
}

function encodeCursor({ atMs, id }: Position): string {
  return Buffer.from(JSON.stringify([atMs, id])).toString('base64url');
}

/** @throws BridgeError INVALID_REQUEST naming `cursor`. */
export function decodeCursor(cursor: string): Position {
  const position = parse(cursor);
  const [atMs, id] = Array.isArray(position) ? position : [];
  if (!Number.isSafeInteger(atMs) || typeof id !== 'string' || encodeCursor({ atMs, id }) !== cursor) {
    throw new BridgeError('INVALID_REQUEST', 'cursor is not one that an earlier page gave', { field: 'cursor' });
  }
  return { atMs, id };
}

function parse(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARACTERS) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** A page out of the rows found for `limit` + 1. */
export function pageOf<Found, Row>(
  found: readonly Found[],
  limit: number,
  positionOf: (row: Found) => Position,
  rowOf: (row: Found) => Row,
): Page<Row> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { rows: shown.map(rowOf), nextCursor: hasMore ? encodeCursor(positionOf(last)) : null };
}
