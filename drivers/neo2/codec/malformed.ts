import { Secret } from '../../../app/domain/secret.ts';
import type { Vivotech2Frame } from '../../framing/vivotech2-frame.ts';
import type { Malformed } from './message-types.ts';

/** Builds the report on a frame nothing may be concluded from. */
export function malformed(frame: Vivotech2Frame, reason: Malformed['reason'], field?: string): Malformed {
  return {
    type: 'malformed',
    ...(frame.kind === 'message' ? { command: frame.command, code: frame.code } : {}),
    reason,
    ...(field === undefined ? {} : { field }),
    data: new Secret(frame.data),
  };
}
