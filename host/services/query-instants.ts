/** An instant of a query as a bound in milliseconds since the epoch; absent where the query has none. */
export function instantMs<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [Key in Name]?: number } {
  return text === undefined ? {} : ({ [name]: Date.parse(text) } as { readonly [Key in Name]: number });
}
