import type { TSchema } from 'typebox';

/**
 * An answer without the fields that this till does not know: a host may add some within v1 (decisions: Versioning), and what a till does not know it
 * does not use. Everything else is left to the validator.
 */
export function knownFields(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as { readonly properties?: Record<string, TSchema>; readonly items?: TSchema };
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => knownFields(items, item));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return known === undefined ? [] : [[name, knownFields(known, field)]];
    }),
  );
}
