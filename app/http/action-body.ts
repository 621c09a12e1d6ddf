import type { ClientAction } from '../contract/session.ts';

/** Actions that the engine runs; `auth` and `replay` are the session's own. */
export type TillAction = Exclude<ClientAction, { action: 'auth' | 'replay' }>;

/** Fields of an action that a REST call carries outside its body. */
const callFields = ['action', 'requestId', 'terminalId', 'idempotencyKey', 'timeoutSeconds', 'granular'] as const;
type CallField = (typeof callFields)[number];

/** The action as the body that the REST call has. */
export function bodyOf<Action extends TillAction>(action: Action): Omit<Action, CallField> {
  const names: readonly string[] = callFields;
  return Object.fromEntries(Object.entries(action).filter(([name]) => !names.includes(name))) as Omit<
    Action,
    CallField
  >;
}
