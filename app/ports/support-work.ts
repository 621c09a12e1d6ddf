/** How far something that takes a while has come. */
export interface SupportProgress {
  readonly step: 'VERIFY' | 'COLLECT' | 'SCAN';
  readonly done: number;
  readonly of: number;
}

/** Something that must not leave the till: where, and of which kind. Never what. */
export interface BundleFinding {
  readonly entry: string;
  /** In a log as it stands on the till, from 1. */
  readonly line?: number;
  readonly kind: string;
}

interface MadeBundle {
  readonly fileName: string;
  /** ISO 8601 UTC. */
  readonly madeAt: string;
  readonly byteCount: number;
  readonly entries: { readonly name: string; readonly byteCount: number }[];
  /** Lines of the logs that did not come in. */
  readonly removedLines: number;
}

/** REFUSED: something was found in it, and there is no bundle. */
export type BundleEnd =
  | ({ readonly kind: 'MADE' } & MadeBundle)
  | { readonly kind: 'REFUSED'; readonly count: number; readonly findings: BundleFinding[] }
  | { readonly kind: 'FAILED'; readonly reason: string }
  | { readonly kind: 'CANCELLED' };

export type VerificationEnd =
  | {
      readonly kind: 'VERIFIED';
      readonly at: string;
      readonly ok: boolean;
      readonly rows: number;
      /** What is not as it was written, in words. */
      readonly findings: string[];
    }
  | { readonly kind: 'FAILED'; readonly reason: string }
  | { readonly kind: 'CANCELLED' };

export interface Running<End> {
  /** Never rejects. */
  readonly ended: Promise<End>;
  cancel(): void;
}

interface SupportFacts {
  readonly version: string;
  /** E.g. `Node 20.20.2`, `Electron 45.0.1`. */
  readonly runtime: string;
  readonly platform: string;
  /** Seconds since the till was started. */
  readonly upSeconds: number;
  readonly memoryBytes: number;
  readonly dataDir: string;
  readonly diskFreeBytes: number;
  readonly diskBytes: number;
  readonly journalBytes: number;
  /** What has not been moved into the journal's file yet. */
  readonly walBytes: number;
  readonly logBytes: number;
}

/** What is done for support beside the till's own work: in processes of their own, so that no payment waits for it. One of each kind at a time. */
export interface SupportWork {
  facts(): SupportFacts;
  verifyJournal(onProgress: (progress: SupportProgress) => void): Running<VerificationEnd>;
  /** The bundle made before is gone as soon as the next is begun. */
  makeBundle(
    ask: {
      readonly days: number;
      /** Lines of the log in which something is found are left out, instead of refusing the whole. */
      readonly leavesOutLines: boolean;
      /** How the terminals are. */
      readonly terminals: readonly object[];
    },
    onProgress: (progress: SupportProgress) => void,
  ): Running<BundleEnd>;
  /** The beginning of an entry of the made bundle. @throws Error when there is none */
  readEntry(name: string, maxCharacters: number): Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** The made bundle. @throws Error when there is none */
  openBundle(): AsyncIterable<Uint8Array>;
  /** Ends what runs, and takes the bundle away. */
  close(): Promise<void>;
}
