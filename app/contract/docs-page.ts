import {
  escapeHtml,
  inline,
  listOf,
  mapOf,
  parametersHtml,
  prose,
  referenceName,
  schemaHtml,
  schemaLink,
  textOf,
} from './docs-fields.ts';
import { docsStyle } from './docs-style.ts';
import { type ErrorCode, errorCatalogue, errorCodes } from './errors.ts';
import { isMap, type JsonMap } from './schema-document.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: JsonMap;
  readonly tag: string;
  readonly id: string;
}

/** How one kind of key is told and sent. */
interface KeyWords {
  readonly name: string;
  /** Header of the curl example. */
  readonly header: string;
}

/** What an API page is made from. */
export interface DocsPage {
  readonly openapi: JsonMap;
  /** The document of the WebSocket session, where there is one. */
  readonly asyncapi?: JsonMap;
  /** Credentials, keys and limits: HTML of each paragraph. */
  readonly basics: readonly string[];
  /** By the name of the security scheme; `default` where an operation names none. */
  readonly keys: Readonly<Record<string, KeyWords>>;
}

/**
 * The API page: one HTML document made from the OpenAPI and AsyncAPI documents. It holds its one style sheet (docsStyle) and loads
 * nothing; there is no script, so `default-src 'none'` with the style's hash is a policy under which it works.
 */
export function renderDocsPage(page: DocsPage): string {
  const { openapi, asyncapi } = page;
  const operations = operationsOf(openapi);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const components = mapOf(openapi, 'components');
  const schemas = mapOf(components, 'schemas');
  const info = mapOf(openapi, 'info');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(textOf(info, 'title'))}</title>
<style>${docsStyle}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="layout">
<header>
<h1>${escapeHtml(textOf(info, 'title'))}</h1>
<p class="lead">Version ${escapeHtml(textOf(info, 'version'))} · <a href="/openapi.json">OpenAPI 3.1</a>${asyncapi === undefined ? '' : ' · <a href="/asyncapi.json">AsyncAPI 3.0</a>'}</p>
</header>
<nav aria-label="Contents">${navigation(tags, operations, asyncapi !== undefined)}</nav>
<main id="content">
${prose(textOf(info, 'description'))}
${basics(page.basics)}
${tags.map((tag) => tagSection(tag, operations, schemas, page)).join('\n')}
${asyncapi === undefined ? '' : sessionSection(asyncapi)}
${errorSection(asyncapi !== undefined)}
${schemaSection(schemas)}
</main>
</div>
</body>
</html>
`;
}

function operationsOf(openapi: JsonMap): Operation[] {
  return Object.entries(mapOf(openapi, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isMap(methods) ? methods : {}).flatMap(([method, body]) =>
      isMap(body)
        ? [
            {
              method: method.toUpperCase(),
              path,
              body,
              tag: String(listOf(body, 'tags')[0]),
              id: textOf(body, 'operationId'),
            },
          ]
        : [],
    ),
  );
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function navigation(tags: readonly string[], operations: readonly Operation[], hasSession: boolean): string {
  const groups = tags.map((tag) => {
    const items = operations
      .filter((operation) => operation.tag === tag)
      .map(({ id, body }) => `<li><a href="#${anchor(id)}">${escapeHtml(textOf(body, 'summary'))}</a></li>`);
    return `<p>${escapeHtml(tag)}</p><ul>${items.join('')}</ul>`;
  });
  return `<p>Start</p><ul><li><a href="#basics">Credentials, keys and limits</a></li></ul>
${groups.join('\n')}
<p>Reference</p><ul>${hasSession ? '<li><a href="#session-messages">Session actions and events</a></li>' : ''}<li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul>`;
}

function basics(paragraphs: readonly string[]): string {
  return `<section aria-labelledby="basics"><h2 id="basics">Credentials, keys and limits</h2>
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</section>`;
}

function tagSection(tag: string, operations: readonly Operation[], schemas: JsonMap, page: DocsPage): string {
  const articles = operations
    .filter((operation) => operation.tag === tag)
    .map((operation) => article(operation, schemas, page));
  return `<section><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${articles.join('\n')}</section>`;
}

function article(operation: Operation, schemas: JsonMap, page: DocsPage): string {
  const { method, path, body, id } = operation;
  const parameters = listOf(body, 'parameters').filter(isMap);
  const content = mapOf(mapOf(mapOf(body, 'requestBody'), 'content'), 'application/json');
  const schema = mapOf(content, 'schema');
  const name = referenceName(schema);
  const resolved = name === undefined ? schema : mapOf(schemas, name);
  return `<article id="${anchor(id)}">
<h3>${escapeHtml(textOf(body, 'summary'))}</h3>
<div class="route"><span class="method ${method.toLowerCase()}">${method}</span><code>${escapeHtml(path)}</code></div>
${prose(textOf(body, 'description'))}
${badges(body, parameters, page)}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${parametersHtml(parameters)}`}
${Object.keys(content).length === 0 ? '' : `<h4>Body${name === undefined ? '' : ` · ${schemaLink(name)}`}</h4>${schemaHtml(resolved)}`}
<h4>Example</h4><pre><code>${escapeHtml(curl(operation, content, page))}</code></pre>
<h4>Answers</h4>${answers(body)}
</article>`;
}

/** The key that an operation takes; undefined where none is needed. */
function keyOf(body: JsonMap, page: DocsPage): KeyWords | undefined {
  if (!Array.isArray(body.security)) return page.keys.default;
  const [requirement] = body.security;
  return isMap(requirement) ? page.keys[Object.keys(requirement)[0] ?? ''] : undefined;
}

function badges(body: JsonMap, parameters: readonly JsonMap[], page: DocsPage): string {
  const key = parameters.find((parameter) => parameter.name === 'Idempotency-Key');
  const words = [
    keyOf(body, page)?.name ?? 'no key needed',
    ...(key === undefined ? [] : [`Idempotency-Key ${key.required === true ? 'required' : 'accepted'}`]),
  ];
  return `<ul class="badges">${words.map((word) => `<li>${escapeHtml(word)}</li>`).join('')}</ul>`;
}

function curl({ method, path, body }: Operation, content: JsonMap, page: DocsPage): string {
  const key = keyOf(body, page);
  const parameters = listOf(body, 'parameters').filter(isMap);
  const hasIdempotencyKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  const [server] = listOf(page.openapi, 'servers').filter(isMap);
  const url = `${textOf(server ?? {}, 'url')}${path.replaceAll(/\{[a-zA-Z]+\}/g, '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10')}`;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    ...(key === undefined ? [] : [`  -H "${key.header}"`]),
    ...(hasIdempotencyKey ? ['  -H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(content.example === undefined
      ? []
      : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(content.example)}'`]),
  ];
  return lines.join(' \\\n');
}

function answers(body: JsonMap): string {
  const rows = Object.entries(mapOf(body, 'responses')).map(([status, response]) => {
    const description = isMap(response) ? textOf(response, 'description') : '';
    if (Number(status) >= 400) return `<tr><td>${status}</td><td>${codeLinks(description.split(', '))}</td></tr>`;
    const content = isMap(response) ? Object.values(mapOf(response, 'content'))[0] : undefined;
    const name = isMap(content) ? referenceName(mapOf(content, 'schema')) : undefined;
    return `<tr><td>${status}</td><td>${name === undefined ? inline(description) : schemaLink(name)}</td></tr>`;
  });
  return `<div class="table"><table><thead><tr><th scope="col">Status</th><th scope="col">Body or error codes</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function codeLinks(codes: readonly string[]): string {
  return codes.map((code) => `<a href="#error-${escapeHtml(code)}"><code>${escapeHtml(code)}</code></a>`).join(' ');
}

function sessionSection(asyncapi: JsonMap): string {
  const components = mapOf(asyncapi, 'components');
  const operations = mapOf(asyncapi, 'operations');
  const groups = Object.values(operations)
    .filter(isMap)
    .map((operation) => {
      const names = listOf(operation, 'messages').flatMap((message) =>
        isMap(message) ? [referenceName(message) ?? ''] : [],
      );
      const articles = names.map((name) => messageArticle(name, mapOf(mapOf(components, 'messages'), name)));
      return `<h3>${escapeHtml(textOf(operation, 'summary'))}</h3>${articles.join('\n')}`;
    });
  return `<section><h2 id="session-messages">Session actions and events</h2>${prose(textOf(mapOf(asyncapi, 'info'), 'description'))}${groups.join('\n')}</section>`;
}

function messageArticle(name: string, message: JsonMap): string {
  const payload = mapOf(message, 'payload');
  const branches = listOf(payload, 'oneOf').filter(isMap);
  const shapes = branches.length === 0 ? [payload] : branches;
  const tables = shapes.map((shape) => `${inline(textOf(shape, 'description'))}${schemaHtml(shape)}`);
  return `<article id="message-${escapeHtml(name)}"><h4><code>${escapeHtml(name)}</code></h4>${tables.join('\n')}</article>`;
}

function errorRow(code: ErrorCode): string {
  const { httpStatus, moneyMayHaveMoved, retryAdvice } = errorCatalogue[code];
  const status = httpStatus === 200 ? 'in an ERROR response' : String(httpStatus);
  const moved = moneyMayHaveMoved === 'NO' ? 'no' : 'unknown';
  return `<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${moved}</td><td>${inline(retryAdvice)}</td></tr>`;
}

function errorSection(hasSession: boolean): string {
  return `<section><h2 id="errors">Errors</h2>
<p>Every error is <code>{"error": CODE, "message": text}</code>, with <code>field</code>, <code>transactionId</code> and <code>outcome</code> where they are known.${hasSession ? ' In the session they arrive as <code>error</code> events.' : ''}</p>
<div class="table"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">May money have moved?</th><th scope="col">What to do</th></tr></thead><tbody>${errorCodes.map(errorRow).join('\n')}</tbody></table></div></section>`;
}

function schemaSection(schemas: JsonMap): string {
  const articles = Object.entries(schemas).map(([name, schema]) =>
    isMap(schema)
      ? `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${prose(textOf(schema, 'description'))}${schemaHtml(schema)}</article>`
      : '',
  );
  return `<section><h2 id="schemas">Schemas</h2>${articles.join('\n')}</section>`;
}
