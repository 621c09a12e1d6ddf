/** A field of a message: its bytes in hexadecimal digits where they may be seen, otherwise only how many they are. */
export type TracedField =
  | { readonly tag: string; readonly shown: string }
  | { readonly tag: string; readonly hiddenBytes: number };

/** A message on the line of a terminal, without card data: what may be seen of it is decided by the codec that knows its fields. */
export interface TracedMessage {
  readonly direction: 'TO_TERMINAL' | 'FROM_TERMINAL';
  /** E.g. `06 01 authorization`. */
  readonly name: string;
  readonly byteCount: number;
  readonly fields: readonly TracedField[];
}

export interface WireTrace extends TracedMessage {
  /** Rises by one with each message of the till. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly terminalId: string;
}

/** Where drivers leave what went over the line. */
export interface WireRecorder {
  record(terminalId: string, message: TracedMessage): void;
}

/** The newest messages of each terminal. */
export interface WireTraces extends WireRecorder {
  /** Oldest first. */
  of(terminalId: string): readonly WireTrace[];
}
