/** Where the till keeps its own secrets: never card data, never what a person knows. */
export interface Vault {
  /** Undefined when nothing is kept under the name, or what is kept cannot be opened any more (another machine, another user). */
  read(name: string): Promise<string | undefined>;
  /** Replaces what was kept, whole or not at all. @throws the system's error when it cannot be written */
  keep(name: string, secret: string): Promise<void>;
}
