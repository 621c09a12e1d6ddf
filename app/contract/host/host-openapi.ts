import { createApiDocument } from '../openapi-document.ts';
import type { JsonMap } from '../schema-document.ts';
import { hostEndpoints } from './host-endpoints.ts';
import { hostSchemas } from './host-schemas.ts';

/** Version of the host API (specification: Versioning). */
export const HOST_API_VERSION = '1.0.0';

const introduction = `The host of payment terminals: terminals authorize through it, and a merchant's server queues commands for them, reads payments and closes the day.

Amounts are integers in the currency's minor unit (1000 is 10.00 EUR, and 1000 JPY). \`amountMinor\` is \`baseAmountMinor\` + \`tipAmountMinor\`; the base holds the goods and the cash-back.

HTTP 200 is not an approval: read \`approved\` and \`status\`. FAILED means that the outcome is unknown and money may have moved; recovery finds out.

Terminals call \`/api/v1/terminal/*\` with their device token; a merchant's server calls the rest with its secret key. Neither stands in for the other. After a lost answer the same call under the same \`Idempotency-Key\` gives the first result again.

The POS API is served here, too, under the key of a POS: its calls go over the link to the till that holds the terminal, and what that till answers is the answer. Where both have a path, the kind of key decides.`;

/** The OpenAPI 3.1 document of the host address, made from its endpoint table. */
export function createHostOpenApiDocument(): JsonMap {
  return createApiDocument({
    title: 'Till Bridge host API',
    version: HOST_API_VERSION,
    introduction,
    server: { url: 'http://127.0.0.1:8080', description: 'A host on this machine' },
    endpoints: hostEndpoints,
    schemas: hostSchemas,
    security: { device: ['deviceToken'], secret: ['secretKey'] },
    securitySchemes: {
      deviceToken: { type: 'http', scheme: 'bearer', description: 'The device token of a paired terminal.' },
      secretKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
        description: "The secret key of a merchant's server; never in a browser, an app, a log or a URL.",
      },
    },
  });
}
