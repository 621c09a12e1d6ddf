import { createHash } from 'node:crypto';
import { createAsyncApiDocument } from '../../contract/asyncapi.ts';
import { renderDocsPage } from '../../contract/docs-page.ts';
import { docsStyle } from '../../contract/docs-style.ts';
import { createOpenApiDocument } from '../../contract/openapi.ts';
import type { Reply } from './handler.ts';

/** The API page. Its policy lets it use its own style sheet and nothing else. Loaded when it is asked for. */
export function docsReply(): Reply {
  const styleHash = createHash('sha256').update(docsStyle, 'utf8').digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  return {
    statusCode: 200,
    body: renderDocsPage(createOpenApiDocument(), createAsyncApiDocument()),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  };
}
