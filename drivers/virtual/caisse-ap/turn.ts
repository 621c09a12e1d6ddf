// What a Caisse-AP terminal says to its till in one step.
import type { Damage } from '../machine.ts';
import {
  book,
  dropCardIfAlone,
  letDisplayGo,
  type MachineTurn,
  setActivity,
  startTimer,
  stopTimers,
} from '../machine-turn.ts';
import { type CaisseApMachine, IDLE } from './state.ts';

export type Turn = MachineTurn<CaisseApMachine>;

/** Parts of a reply under the rule `reply-in-pieces`: they end within a length, within a value, and between two fields. */
const PIECE_BYTES = 13;

/** Writes a reply on the connection that is open. */
export function send(turn: Turn, bytes: Uint8Array, damage?: Damage): void {
  turn.outputs.push({ type: 'send', bytes, ...(damage === undefined ? {} : { damage }) });
}

/** Writes a reply part by part. @param authorizedId final once the last one is written */
export function sendInPieces(turn: Turn, bytes: Uint8Array, authorizedId?: number): void {
  const rest = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    bytes.slice(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
  setActivity(turn, { kind: 'REPLYING', rest, ...(authorizedId === undefined ? {} : { authorizedId }) });
  sendPiece(turn);
}

export function sendPiece(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind !== 'REPLYING') return;
  const [piece, ...rest] = activity.rest;
  if (piece !== undefined) send(turn, piece);
  if (rest.length > 0) {
    setActivity(turn, { ...activity, rest });
    startTimer(turn, 'piece', turn.settings.pieceGapMs);
    return;
  }
  if (activity.authorizedId !== undefined) makeFinal(turn, activity.authorizedId);
  becomeIdle(turn);
}

/** The reply has been written to an open connection: all that a terminal of this protocol can ever know of its till. */
export function makeFinal(turn: Turn, id: number): void {
  book(turn, { kind: 'FINAL', id });
}

/** Back to waiting for requests; what is on the display stays for a moment. */
export function becomeIdle(turn: Turn): void {
  stopTimers(turn, 'think', 'card', 'host', 'piece');
  dropCardIfAlone(turn);
  setActivity(turn, IDLE);
  letDisplayGo(turn);
}
