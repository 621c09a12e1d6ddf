import type { ProcedureName, ProcedureRequest, ProcedureResponse } from '../contract/console/procedures.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { CallContext } from '../services/till.ts';

/** One call as a handler sees it, after the door has judged caller, request and approval. */
export interface ConsoleCall {
  readonly sessionId: string;
  /** Absent only for procedures that anyone may call. */
  readonly caller: StaffMember | undefined;
  /** `console:Anna`, `console:Anna approved by Ben`. */
  readonly actor: string;
  readonly requestId: string;
}

type Handler<Name extends ProcedureName> = (
  call: ConsoleCall,
  request: ProcedureRequest<Name>,
) => ProcedureResponse<Name> | Promise<ProcedureResponse<Name>>;

/** One handler for each procedure of the map. */
export type Handlers = { readonly [Name in ProcedureName]: Handler<Name> };

/** The client of all transactions that the console starts. */
const consoleClientId = 'console';

/** The call as the engine sees it. */
export function contextOf(
  call: ConsoleCall,
  route: string,
  fields: { readonly terminalId?: string | undefined; readonly idempotencyKey?: string | undefined } = {},
): CallContext {
  const { terminalId, idempotencyKey } = fields;
  return {
    clientId: consoleClientId,
    actor: call.actor,
    requestId: call.requestId,
    route: `CONSOLE ${route}`,
    ...(terminalId === undefined ? {} : { terminalId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey, eventRequestId: idempotencyKey }),
  };
}
