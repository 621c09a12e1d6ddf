import canonicalize from 'canonicalize';

/** JSON by RFC 8785: equal values give equal text. @throws Error for what JSON cannot hold (undefined, NaN, Infinity). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('not a JSON value');
  return text;
}
