import type { DocsPage } from '../docs-page.ts';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from '../limits.ts';
import { MAX_HOST_REQUEST_BURST, MAX_HOST_REQUESTS_PER_SECOND } from './host-limits.ts';
import { createHostOpenApiDocument } from './host-openapi.ts';

/** What the API page of the host is made from. */
export function createHostDocsPage(): DocsPage {
  return {
    openapi: createHostOpenApiDocument(),
    keys: {
      deviceToken: { name: 'device token', header: 'Authorization: Bearer $DEVICE_TOKEN' },
      secretKey: { name: 'secret key', header: 'X-Api-Key: $SECRET_KEY' },
    },
    basics: [
      "A paired terminal sends its device token as <code>Authorization: Bearer …</code>, and only to <code>/api/v1/terminal/*</code>. A merchant's server sends its secret key as <code>X-Api-Key: …</code> to the rest. A wrong key is 401, a right one of the wrong kind 403, another merchant's object 404.",
      'With several terminals <code>X-Terminal-Id</code> picks one for a day close. Every answer carries <code>X-Request-Id</code>, which is found again in the log.',
      'A call that moves money takes an <code>Idempotency-Key</code>: a repeat with the same body gets the first answer again, with <code>Idempotent-Replayed: true</code>; with another body it is refused. A reversal needs none: it is one by its originalTransactionId.',
      `Limits of one key: ${MAX_HOST_REQUESTS_PER_SECOND} requests a second in bursts of ${MAX_HOST_REQUEST_BURST}, unless the operator has set others; reversals are exempt. A body has at most ${MAX_BODY_BYTES / 1024} KiB and ${MAX_JSON_DEPTH} levels. Numbers are plain integers: <code>1.0</code>, <code>1e3</code> and <code>"100"</code> are refused, and so are duplicate and unknown fields.`,
    ],
  };
}
