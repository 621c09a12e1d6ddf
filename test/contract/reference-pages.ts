import { createAsyncApiDocument } from '../../app/contract/asyncapi.ts';
import { type ErrorCode, errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { createHostOpenApiDocument } from '../../app/contract/host/host-openapi.ts';
import { createOpenApiDocument } from '../../app/contract/openapi.ts';

/** The pages under docs/reference that are made from the contract, by file name. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'errors.md': errorPage(),
    'openapi.json': `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`,
    'host-openapi.json': `${JSON.stringify(createHostOpenApiDocument(), null, 2)}\n`,
    'asyncapi.json': `${JSON.stringify(createAsyncApiDocument(), null, 2)}\n`,
  };
}

function errorPage(): string {
  return `# Errors

Generated from \`app/contract/errors.ts\` by \`UPDATE_REFERENCE=1 npx vitest run test/contract/reference.test.ts\`; a test fails when it is stale.

Every answer with a status from 400 up is \`{"error": CODE, "message": text}\`, with \`field\`, \`transactionId\`, \`outcome\`, \`retryAfterSeconds\` and \`blockers\` where
they are known. In the WebSocket session the code is \`errorCode\` of an \`error\` event. Codes "in an ERROR response" stand in \`errorCode\` of a
transaction whose \`status\` is ERROR, under HTTP 200.

"Unknown" in the third column means: money may have moved. Look the transaction up before anything else, and never repeat under a new key.

| Code | HTTP status | May money have moved? | What to do | Console text |
|---|---|---|---|---|
${errorCodes.map(errorRow).join('\n')}
`;
}

function errorRow(code: ErrorCode): string {
  const { httpStatus, moneyMayHaveMoved, retryAdvice, consoleTextKey } = errorCatalogue[code];
  const status = httpStatus === 200 ? 'in an ERROR response' : String(httpStatus);
  return `| ${code} | ${status} | ${moneyMayHaveMoved === 'NO' ? 'no' : 'unknown'} | ${retryAdvice} | \`${consoleTextKey}\` |`;
}
