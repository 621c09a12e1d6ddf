import type { IncomingHttpHeaders } from 'node:http';
import { BridgeError } from '../contract/errors.ts';

/**
 * The key of a POS client as a call carries it; undefined where it carries none (decisions: Credentials).
 * @throws BridgeError UNAUTHENTICATED for credentials of another form, or two that differ
 */
export function posKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  const bearer = authorization === undefined ? undefined : /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    throw new BridgeError('UNAUTHENTICATED', 'Authorization must be: Bearer and the POS key');
  }
  const given = headers['x-api-key'];
  const apiKey = typeof given === 'string' ? given : undefined;
  if (apiKey !== undefined && bearer !== undefined && apiKey !== bearer) {
    throw new BridgeError('UNAUTHENTICATED', 'X-Api-Key and Authorization carry different keys');
  }
  return apiKey ?? bearer;
}
