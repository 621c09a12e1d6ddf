import { Buffer } from 'node:buffer';
import { BridgeError } from '../contract/errors.ts';
import { MAX_CURSOR_CHARACTERS } from '../contract/limits.ts';
import type { Page } from '../ports/journal.ts';

/** Where a page ended: the time at full precision, and what tells rows of one time apart. */
export type Position<Tie extends string | number> = readonly [time: string, tie: Tie];

function encodeCursor(position: Position<string | number>): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** @throws BridgeError INVALID_REQUEST naming `cursor`. */
export function decodeCursor<Tie extends 'string' | 'number'>(
  cursor: string,
  tie: Tie,
): Position<Tie extends 'string' ? string : number> {
  const position = parse(cursor);
  const [time, mark] = Array.isArray(position) && position.length === 2 ? position : [];
  const fits = tie === 'number' ? Number.isSafeInteger(mark) : typeof mark === 'string';
  if (typeof time !== 'string' || !fits || encodeCursor([time, mark]) !== cursor) {
    throw new BridgeError('INVALID_REQUEST', 'cursor is not one that an earlier page gave', { field: 'cursor' });
  }
  return [time, mark];
}

function parse(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARACTERS) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** An instant of a filter as rows write it, so that text order is time order. @throws BridgeError INVALID_REQUEST naming `field`. */
export function instantText(text: string, field: string): string {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()))
    throw new BridgeError('INVALID_REQUEST', `${field} is no date and time`, { field });
  return instant.toISOString();
}

/** A page out of the rows found for `limit` + 1. */
export function pageOf<Found, Row>(
  found: readonly Found[],
  limit: number,
  positionOf: (row: Found) => Position<string | number>,
  rowOf: (row: Found) => Row,
): Page<Row> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { rows: shown.map(rowOf), nextCursor: hasMore ? encodeCursor(positionOf(last)) : null };
}
