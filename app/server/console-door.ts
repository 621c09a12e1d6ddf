import type { ConsoleAnswer, ConsoleClientFunctions } from '../contract/console/channel.ts';

/** The console as its server sees it: which browsers are let in, and what their windows call. */
export interface ConsoleDoor {
  /** Lets a browser in; returns its cookie. */
  admit(): string;
  isAdmitted(cookie: string): boolean;
  /** The browser's session; undefined for one that was not let in, or where nobody is signed in. */
  signedInSession(cookie: string): string | undefined;
  /** Undefined for a browser that was not let in. @param screen told what happens, for as long as the connection is open */
  connect(
    cookie: string,
    screen: ConsoleClientFunctions,
  ):
    | {
        /** Never rejects: a refusal is an answer. */
        call(name: string, request: unknown): Promise<ConsoleAnswer<unknown>>;
        close(): void;
      }
    | undefined;
}
