import { createAsyncApiDocument } from './asyncapi.ts';
import type { DocsPage } from './docs-page.ts';
import {
  MAX_BODY_BYTES,
  MAX_CALL_TIMEOUT_SECONDS,
  MAX_JSON_DEPTH,
  MAX_REQUEST_BURST,
  MAX_REQUESTS_PER_SECOND,
  MAX_SOCKETS_PER_CLIENT,
  MIN_CALL_TIMEOUT_SECONDS,
} from './limits.ts';
import { createOpenApiDocument } from './openapi.ts';

/** What the API page of the POS address is made from. */
export function createPosDocsPage(): DocsPage & Required<Pick<DocsPage, 'asyncapi'>> {
  return {
    openapi: createOpenApiDocument(),
    asyncapi: createAsyncApiDocument(),
    keys: { default: { name: 'POS key', header: 'X-Api-Key: $POS_KEY' } },
    basics: [
      `Send the POS key as <code>X-Api-Key: …</code> or as <code>Authorization: Bearer …</code>, from the till itself too. Bodies are <code>application/json</code>.`,
      `With several terminals <code>X-Terminal-Id</code> picks one. Every answer carries <code>X-Request-Id</code>, which is found again in the log.`,
      `A call that moves money takes an <code>Idempotency-Key</code>: a repeat with the same body gets the first answer again, with <code>Idempotent-Replayed: true</code>; with another body it is refused.`,
      `A call is answered within ${MAX_CALL_TIMEOUT_SECONDS} seconds; <code>X-Timeout-Seconds</code> lowers that to as little as ${MIN_CALL_TIMEOUT_SECONDS}. Hanging up does not cancel a payment.`,
      `Limits of one client: ${MAX_REQUESTS_PER_SECOND} requests a second in bursts of ${MAX_REQUEST_BURST}, ${MAX_SOCKETS_PER_CLIENT} sessions. A body has at most ${MAX_BODY_BYTES / 1024} KiB and ${MAX_JSON_DEPTH} levels. Numbers are plain integers: <code>1.0</code>, <code>1e3</code> and <code>"100"</code> are refused, and so are duplicate and unknown fields.`,
    ],
  };
}
