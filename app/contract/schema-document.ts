import { namedSchemas } from './named-schemas.ts';

/** Schemas as plain JSON for a document, with references to the named ones. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonMap = { readonly [key: string]: Json };

/** OpenAPI tells branches apart by an object, AsyncAPI has no such thing beyond the branches themselves. */
type DocumentKind = 'openapi' | 'asyncapi';

const referencePrefix = '#/components/schemas/';

/** Shape of a schema → its name. A schema made optional is another object of the same shape. */
const nameByShape: ReadonlyMap<string, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [JSON.stringify(schema), name]),
);

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema for use in the document: a reference where it has a name. */
export function schemaReference(schema: unknown, kind: DocumentKind): Json {
  const name = nameByShape.get(JSON.stringify(schema));
  return name === undefined ? schemaBody(schema, kind) : { $ref: `${referencePrefix}${name}` };
}

/** Everything under components.schemas. */
export function schemaComponents(kind: DocumentKind): JsonMap {
  return Object.fromEntries(Object.entries(namedSchemas).map(([name, schema]) => [name, schemaBody(schema, kind)]));
}

/** The schema itself; what it is made of is referred to. */
function schemaBody(schema: unknown, kind: DocumentKind): Json {
  // JSON drops what the schema library keeps beside the schema.
  const plain: Json = JSON.parse(JSON.stringify(schema));
  return isMap(plain) ? withReferences(plain, kind) : plain;
}

function withReferences(schema: JsonMap, kind: DocumentKind): JsonMap {
  const entries = Object.entries(schema)
    .filter(([keyword]) => !(keyword === 'discriminator' && kind === 'asyncapi'))
    .map(([keyword, value]): [string, Json] => {
      if (keyword === 'properties' && isMap(value))
        return [keyword, mapValues(value, (inner) => schemaReference(inner, kind))];
      if ((keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)) {
        return [keyword, value.map((inner) => schemaReference(inner, kind))];
      }
      if (['items', 'additionalProperties'].includes(keyword) && isMap(value))
        return [keyword, schemaReference(value, kind)];
      if (keyword === 'discriminator' && isMap(value)) return [keyword, withMapping(value, schema)];
      return [keyword, value];
    });
  return Object.fromEntries(entries);
}

/** Tag value → named branch; without names the branches' own constants tell them apart. */
function withMapping(discriminator: JsonMap, union: JsonMap): JsonMap {
  const tag = String(discriminator.propertyName);
  const branches = Array.isArray(union.oneOf) ? union.oneOf.filter(isMap) : [];
  const pairs = branches.flatMap((branch): [string, Json][] => {
    const name = nameByShape.get(JSON.stringify(branch));
    const properties = branch.properties;
    const property = isMap(properties) ? properties[tag] : undefined;
    return name === undefined || !isMap(property) ? [] : [[String(property.const), `${referencePrefix}${name}`]];
  });
  return pairs.length === branches.length ? { ...discriminator, mapping: Object.fromEntries(pairs) } : discriminator;
}

function mapValues<From, To>(
  map: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
