/** One thing a raw TCP stream of APDUs held. Every byte belongs to one item or is still pending. */
export type StreamItem =
  | { readonly type: 'apdu'; readonly apdu: Uint8Array }
  /** bytes that cannot begin an APDU; after this the connection should not be trusted any more */
  | { readonly type: 'garbage'; readonly bytes: Uint8Array };

export interface StreamState {
  readonly pending: Uint8Array;
  readonly isSkipping: boolean;
}

export const INITIAL_STREAM_STATE: StreamState = { pending: new Uint8Array(0), isSkipping: false };

/** Takes the next bytes of the stream, in any fragmentation. Never throws. */
export function decodeStream(
  _state: StreamState,
  _bytes: Uint8Array,
): { state: StreamState; items: readonly StreamItem[] } {
  throw new Error('not implemented');
}
