/** One thing that is not as it was written. */
export interface Finding {
  /** Journal row that it is about; absent where the damage belongs to no row. */
  readonly sequence?: number;
  readonly text: string;
}

/** Names rows that should be there, first and last included. */
export function missingRows(first: number, last: number): string {
  return first === last ? `row ${first} is missing` : `rows ${first} to ${last} are missing`;
}

/** Takes a finding of a check. */
export type Report = (finding: Finding) => void;
