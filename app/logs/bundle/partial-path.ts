/** Where a bundle is written until it has been looked through and may have its name. */
export function partialPathOf(out: string): string {
  return `${out}.partial`;
}
