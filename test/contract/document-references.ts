import type { Json } from '../../app/contract/schema-document.ts';

/** Every $ref in a document. */
export function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : referencesIn(inner)));
}

export function resolves(document: Json, reference: string): boolean {
  let at: unknown = document;
  for (const step of reference.replace('#/', '').split('/')) at = Object(at)[step.replaceAll('~1', '/')];
  return at !== undefined;
}
