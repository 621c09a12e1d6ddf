/** A try of the POS API by the till itself, as a browser would call it for a page. */
export interface PosProbe {
  /** PLAIN: may this host be called at all. PREFLIGHT: the browser's question before a sale. WEB_SOCKET: the upgrade of a session. */
  readonly kind: 'PLAIN' | 'PREFLIGHT' | 'WEB_SOCKET';
  /** Host header. */
  readonly host: string;
  readonly origin?: string;
  /** X-Request-Id, by which the list of requests leaves it out. */
  readonly requestId: string;
}

/** An answer, as far as there was one. */
export interface ProbeAnswer {
  readonly statusCode?: number;
  /** Code of the error catalogue. */
  readonly errorCode?: string;
}

/** The POS API as seen from outside, for the browser doctor. */
export interface PosAccess {
  /** Where it listens, http://127.0.0.1:8443. */
  url(): string;
  /** Never rejects: no answer is an answer too. */
  probe(probe: PosProbe): Promise<ProbeAnswer>;
  /** Who else listens on a port of this machine, in words; undefined when nobody does or it cannot be seen. */
  holderOf(port: number): Promise<string | undefined>;
}
