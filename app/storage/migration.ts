/** One step of the schema. `version` is the number of its file and becomes the database's user_version. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}
