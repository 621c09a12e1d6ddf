/** What became of a message that one node has put to another. */
export type BusAnswer =
  | { readonly kind: 'ANSWERED'; readonly payload: string }
  /** Surely no node has got it. */
  | { readonly kind: 'NOBODY' }
  /** A node may have got it, and its answer does not come. */
  | { readonly kind: 'LOST' };

/** Bytes of one message between nodes; a NATS server takes 1 MiB by default, and more when it is told to. */
export const MAX_BUS_BYTES = 8 * 1024 * 1024;

/**
 * Carries messages between the host processes ("nodes") of one database. Each is delivered once or not at all, in the order of its sender; nothing is kept
 * for a node that is away, and nothing is sent again.
 */
export interface NodeBus {
  /** Name of this node, unique for its life. */
  readonly node: string;
  /** Whether a message would leave now. */
  isConnected(): boolean;
  /** Asks one other node. Never rejects. */
  request(node: string, subject: string, payload: string, timeoutMs: number): Promise<BusAnswer>;
  /** Tells all other nodes that hear of it, or none while the bus is away. */
  publish(subject: string, payload: string): void;
  /** Answers what other nodes ask this one; a handler that rejects leaves its caller without an answer. */
  answer(subject: string, handler: (payload: string) => Promise<string>): void;
  /** Hears what other nodes tell all, until what is returned is called. */
  hear(subject: string, handler: (payload: string) => void): () => void;
  /** Calls back when this node is heard by the others no more, and again when it is. */
  onChange(listener: (isConnected: boolean) => void): void;
  /**
   * Takes no further request: whoever asks this node from now on learns that nobody has got it. Resolves when what it has taken is answered, after
   * `boundMs` at the latest; with how many are not.
   */
  settle(boundMs: number): Promise<number>;
  /** Sends what is still to be sent, then closes. */
  close(): Promise<void>;
}
