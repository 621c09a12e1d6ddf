import type { TSchema } from 'typebox';

/** Schemas as plain JSON for a document, with references to the named ones. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonMap = { readonly [key: string]: Json };

/** OpenAPI tells branches apart by an object, AsyncAPI has no such thing beyond the branches themselves. */
type DocumentKind = 'openapi' | 'asyncapi';

const referencePrefix = '#/components/schemas/';

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes schemas of one document. */
export interface SchemaWriter {
  /** A schema for use in the document: a reference where it has a name. */
  reference(schema: unknown): Json;
  /** Everything under components.schemas. */
  components(): JsonMap;
}

/** @param named schemas that the document names; wherever one of them is used, its name is referred to */
export function createSchemaWriter(named: Readonly<Record<string, TSchema>>, kind: DocumentKind): SchemaWriter {
  /** Shape of a schema → its name. A schema made optional is another object of the same shape. */
  const nameByShape: ReadonlyMap<string, string> = new Map(
    Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]),
  );

  function reference(schema: unknown): Json {
    const name = nameByShape.get(JSON.stringify(schema));
    return name === undefined ? body(schema) : { $ref: `${referencePrefix}${name}` };
  }

  /** The schema itself; what it is made of is referred to. */
  function body(schema: unknown): Json {
    // JSON drops what the schema library keeps beside the schema.
    const plain: Json = JSON.parse(JSON.stringify(schema));
    return isMap(plain) ? withReferences(plain) : plain;
  }

  function withReferences(schema: JsonMap): JsonMap {
    const entries = Object.entries(schema)
      .filter(([keyword]) => !(keyword === 'discriminator' && kind === 'asyncapi'))
      .map(([keyword, value]): [string, Json] => {
        if (keyword === 'properties' && isMap(value)) return [keyword, mapValues(value, reference)];
        if ((keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)) {
          return [keyword, value.map(reference)];
        }
        if (['items', 'additionalProperties'].includes(keyword) && isMap(value)) return [keyword, reference(value)];
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

  return { reference, components: () => mapValues(named, body) };
}

function mapValues<From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
