/** The two databases; where they differ, a step says so. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** One step of the schema: forward only, in one transaction, run by one process. Released steps are never edited. */
export interface Migration {
  readonly version: number;
  /** Statements, one each. */
  statements(kind: DatabaseKind): readonly string[];
}

const types = {
  sqlite: { int: 'INTEGER', text: 'TEXT' },
  // Byte order, as in SQLite: cursors compare text.
  postgres: { int: 'bigint', text: 'text COLLATE "C"' },
} as const;

export interface Column {
  int(name: string): string;
  text(name: string): string;
  /** Minor units. */
  amount(name: string): string;
  oneOf(name: string, values: readonly string[]): string;
}

/** NOT NULL columns in the words of a database; `maybe` takes that away. */
export function columnsOf(kind: DatabaseKind): Column {
  const { int, text } = types[kind];
  const plain = (name: string, type: string) => `${name} ${type} NOT NULL`;
  return {
    int: (name) => plain(name, int),
    text: (name) => plain(name, text),
    amount: (name) => `${plain(name, int)} CHECK (${name} BETWEEN 0 AND 9007199254740991)`,
    oneOf: (name, values) => `${plain(name, text)} CHECK (${name} IN (${values.map((v) => `'${v}'`).join(', ')}))`,
  };
}

/** A column that may be empty; its CHECK holds then, too. */
export function maybe(column: string): string {
  return column.replace(' NOT NULL', '');
}

/** A table; `growing` ones are partitioned by month of created_at on PostgreSQL, with a default partition as a net. */
export function table(
  kind: DatabaseKind,
  name: string,
  parts: readonly string[],
  options: { readonly isGrowing?: boolean } = {},
): readonly string[] {
  const body = `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n)`;
  if (kind === 'sqlite') return [`${body} STRICT`];
  if (options.isGrowing !== true) return [body];
  return [`${body} PARTITION BY RANGE (created_at)`, `CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT`];
}
