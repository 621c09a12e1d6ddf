import { endpoints } from './endpoints.ts';
import { namedSchemas } from './named-schemas.ts';
import { createApiDocument } from './openapi-document.ts';
import type { JsonMap } from './schema-document.ts';

/** Version of the POS API (specification: Versioning). */
export const POS_API_VERSION = '1.0.0';

const introduction = `Drives a payment terminal from a point of sale: one call per payment, or the WebSocket session with its events.

Amounts are integers in the currency's minor unit (1000 is 10.00 EUR, and 1000 JPY). \`amount\` leaves out tip and cash-back.

HTTP 200 is not an approval: read \`status\`. When \`outcome.charged\` is UNKNOWN, look the transaction up; never charge again before the outcome is known.

Send an \`Idempotency-Key\` with every call that moves money. After a lost answer the same call under the same key gives the first result again, and never charges twice.`;

/** The OpenAPI 3.1 document of the POS address, made from the endpoint table. */
export function createOpenApiDocument(): JsonMap {
  return createApiDocument({
    title: 'Till Bridge POS API',
    version: POS_API_VERSION,
    introduction,
    server: { url: 'http://127.0.0.1:8443', description: 'The till itself' },
    endpoints,
    schemas: namedSchemas,
    security: { pos: ['apiKey', 'bearer'] },
    byDefault: 'pos',
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The POS key.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'The POS key as a bearer token.' },
    },
  });
}
