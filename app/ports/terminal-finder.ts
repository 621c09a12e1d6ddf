import type { SearchProblem, TerminalLine, TerminalProtocol } from '../contract/console/terminals.ts';
import type { Secret } from '../domain/secret.ts';

/** A serial port of this machine. */
interface FoundPort {
  /** What an address names. */
  readonly path: string;
  /** Manufacturer and serial number, where the port tells them. */
  readonly description?: string;
}

/** A card reader on USB. */
interface FoundReader {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string;
  /** As `lineOf` writes it. */
  readonly address: string;
  /** Maker and model, where it tells them. */
  readonly description?: string;
}

/** Where and how a terminal is to be tried. */
export interface Candidate {
  readonly line: TerminalLine;
  /** What is spoken there. Absent: a search finds out; an address, and a test, is ZVT's. On USB it is NEO2, whatever stands here. */
  readonly protocol?: TerminalProtocol;
  /** ECR17: what the check byte of a frame counts, as a search has found it; the commonest when absent. */
  readonly lrc?: 'STD' | 'STX' | 'NOEXT' | 'STX_NOEXT';
  /** Six digits, the till's password at a ZVT terminal. */
  readonly password: Secret<string>;
  /** ISO 4217. */
  readonly currency: string;
}

export type SearchResult =
  | {
      readonly kind: 'FOUND';
      readonly protocol: TerminalProtocol;
      readonly firmwareVersion?: string;
      /** ECR17: what the check byte of its frames counts; belongs into the address. */
      readonly lrc?: NonNullable<Candidate['lrc']>;
      /** Something listens there and says nothing against it: the protocol has no question that moves no money. */
      readonly isUnproven?: true;
    }
  | {
      readonly kind: 'NOT_FOUND';
      readonly problem: SearchProblem;
      /** The whole sentence, for support. */
      readonly words: string;
      /** Program that holds the port; the command that gives this user the right to it; what answered instead of a terminal. */
      readonly holder?: string;
      readonly command?: string;
      readonly answeredBy?: string;
    };

export interface TestResult {
  /** It took the registration and its status says that it can work. */
  readonly isReady: boolean;
  readonly firmwareVersion?: string;
  readonly serialNumber?: string;
  /** The terminal's own reason when it is not ready. */
  readonly words?: string;
}

/** Finds terminals and tries them. Nothing that moves money is ever sent, and each call has a time after which it ends. */
export interface TerminalFinder {
  serialPorts(): Promise<readonly FoundPort[]>;
  /** Never rejects; `problem` says why there may be more than are listed. */
  readers(): Promise<{ readonly readers: readonly FoundReader[]; readonly problem?: string }>;
  /**
   * Opens the line, asks a question that every terminal of the protocol answers, and closes it; without a protocol, the questions of each that may be
   * there. What answers as another than the one that was named is named. Rejects only when `signal` aborts.
   */
  search(candidate: Candidate, signal: AbortSignal): Promise<SearchResult>;
  /** Registers and asks for the status, as the till does at each start. Rejects only when `signal` aborts. */
  test(candidate: Candidate, signal: AbortSignal): Promise<TestResult>;
  /** The address as the settings keep it. @throws BridgeError INVALID_REQUEST */
  urlOf(candidate: Candidate): string;
  /** The line of an address, written always in the same way: two addresses of one terminal are equal. @throws BridgeError INVALID_REQUEST */
  lineOf(url: string): string;
}
