import { createHash } from 'node:crypto';
import { type DocsPage, renderDocsPage } from '../contract/docs-page.ts';
import { docsStyle } from '../contract/docs-style.ts';
import type { Reply } from './reply.ts';

/** An API page. Its policy lets it use its own style sheet and nothing else. Loaded when it is asked for. */
export function docsReply(page: DocsPage): Reply {
  const styleHash = createHash('sha256').update(docsStyle, 'utf8').digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  return {
    statusCode: 200,
    body: renderDocsPage(page),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  };
}
