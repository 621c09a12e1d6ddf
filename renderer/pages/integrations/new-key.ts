/** A key that was just made: it lives in this page until the page is left, and nowhere else. */
export interface NewKey {
  readonly name: string;
  readonly key: string;
}
