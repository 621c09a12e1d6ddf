/** One thing that is not as it was written. */
export interface Finding {
  /** Journal row that it is about; absent where the damage belongs to no row. */
  readonly sequence?: number;
  readonly text: string;
}

/** Takes a finding of a check. */
export type Report = (finding: Finding) => void;
