import { MAX_AMOUNT_MINOR } from './limits.ts';
import { isMap, type Json, type JsonMap } from './schema-document.ts';

/** HTML of schemas: field tables with types and limits. Everything that comes from a document is escaped here. */

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Text with `code` in backticks and blank lines between paragraphs. */
export function prose(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function textOf(map: JsonMap, key: string): string {
  const value = map[key];
  return typeof value === 'string' ? value : '';
}

export function mapOf(map: JsonMap, key: string): JsonMap {
  const value = map[key];
  return isMap(value) ? value : {};
}

export function listOf(map: JsonMap, key: string): readonly Json[] {
  const value = map[key];
  return Array.isArray(value) ? value : [];
}

/** Name that a reference ends in, e.g. Outcome; undefined for a schema written out. */
export function referenceName(schema: JsonMap): string | undefined {
  const reference = schema.$ref;
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}

export function schemaLink(name: string): string {
  return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

/** What kind of value it is, in a few words. */
function typeHtml(schema: JsonMap): string {
  const name = referenceName(schema);
  if (name !== undefined) return schemaLink(name);
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) return choices(listOf(schema, 'enum'));
  const branches = [...listOf(schema, 'anyOf'), ...listOf(schema, 'oneOf')].filter(isMap);
  if (branches.length > 0) return branches.map((branch) => typeHtml(branch)).join(' or ');
  if (schema.type === 'array') return `array of ${typeHtml(mapOf(schema, 'items'))}`;
  if (isMap(schema.additionalProperties)) return `map of ${typeHtml(schema.additionalProperties)}`;
  return escapeHtml(textOf(schema, 'type') || 'any');
}

function choices(values: readonly Json[]): string {
  return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
}

/** Bounds as `1 to 64 characters`; a bound that says nothing is left out. */
function range(schema: JsonMap, low: string, high: string, unit: string): string {
  const minimum = schema[low];
  const maximum = schema[high] === MAX_AMOUNT_MINOR ? '2^53 − 1' : schema[high];
  if (maximum === undefined) return minimum === undefined || minimum === 0 ? '' : `at least ${String(minimum)}${unit}`;
  if (minimum === maximum) return `${String(minimum)}${unit}`;
  return minimum === undefined || (minimum === 0 && unit !== '')
    ? `at most ${String(maximum)}${unit}`
    : `${String(minimum)} to ${String(maximum)}${unit}`;
}

function formatWord(format: string): string {
  if (format === 'int64') return '';
  return format === 'iso4217' ? 'ISO 4217' : format;
}

function limitsHtml(schema: JsonMap): string {
  const pattern = textOf(schema, 'pattern');
  const words = [
    formatWord(textOf(schema, 'format')),
    schema.minimum === -MAX_AMOUNT_MINOR ? '±(2^53 − 1)' : range(schema, 'minimum', 'maximum', ''),
    range(schema, 'minLength', 'maxLength', ' characters'),
    range(schema, 'minItems', 'maxItems', ' entries'),
    range(schema, 'minProperties', 'maxProperties', ' keys'),
    pattern === '' ? '' : `pattern ${pattern}`,
    schema.default === undefined ? '' : `default ${String(schema.default)}`,
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : `<span class="limits">${escapeHtml(words.join(' · '))}</span>`;
}

function fieldRow(name: string, isRequired: boolean, schema: JsonMap): string {
  const mark = isRequired ? ' <span class="required">required</span>' : '';
  const description = inline(textOf(schema, 'description'));
  return `<tr><td><code>${escapeHtml(name)}</code>${mark}</td><td>${typeHtml(schema)}${limitsHtml(schema)}</td><td>${description}</td></tr>`;
}

function table(rows: readonly string[]): string {
  return `<div class="table"><table><thead><tr><th scope="col">Field</th><th scope="col">Type and limits</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** Fields of an object, with those of objects inside it as `outer.inner`. */
function objectRows(schema: JsonMap, prefix: string): string[] {
  const required = listOf(schema, 'required');
  return Object.entries(mapOf(schema, 'properties')).flatMap(([name, property]) => {
    if (!isMap(property)) return [];
    const row = fieldRow(`${prefix}${name}`, required.includes(name), property);
    return [row, ...objectRows(property, `${prefix}${name}.`)];
  });
}

/** The schema as a table of its fields, or as one line where it has none. */
export function schemaHtml(schema: JsonMap): string {
  const branches = [...listOf(schema, 'oneOf')].filter(isMap);
  if (branches.length > 0) return `<p>${branches.map((branch) => branchHtml(branch)).join(', ')}</p>`;
  const rows = objectRows(schema, '');
  return rows.length > 0 ? table(rows) : `<p>${typeHtml(schema)}${limitsHtml(schema)}</p>`;
}

/** A branch of a tagged union by its name, or by the constant that tells it apart. */
function branchHtml(branch: JsonMap): string {
  const name = referenceName(branch);
  if (name !== undefined) return schemaLink(name);
  const tags = Object.values(mapOf(branch, 'properties')).flatMap((property) =>
    isMap(property) && property.const !== undefined ? [String(property.const)] : [],
  );
  return `<a href="#message-${escapeHtml(tags[0] ?? '')}"><code>${escapeHtml(tags[0] ?? 'object')}</code></a>`;
}

/** Parameters of an operation as a table. */
export function parametersHtml(parameters: readonly JsonMap[]): string {
  return table(
    parameters.map((parameter) =>
      fieldRow(`${textOf(parameter, 'name')}`, parameter.required === true, mapOf(parameter, 'schema')),
    ),
  );
}
