import type { Static, TObject, TSchema } from 'typebox';
import { keptReply, type Reply } from '../../http/reply.ts';
import type { Doctor } from '../../services/doctor.ts';
import type { Answer, CallContext, Till } from '../../services/till.ts';
import type { PosCaller } from '../plugins/admission.ts';
import type { ServerSettings } from '../server-options.ts';
import type { Tickets } from '../session/tickets.ts';

/** What handlers stand on. */
export interface HandlerDeps {
  readonly till: Till;
  readonly tickets: Tickets<PosCaller>;
  readonly settings: ServerSettings;
  readonly doctor: Pick<Doctor, 'diagnose' | 'posUrl'>;
}

/** A call whose headers have been read. */
export interface Call {
  readonly context: CallContext;
  /** Null only on paths that need no key. */
  readonly caller: PosCaller | null;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Accept-Language of a browser; empty for programs. */
  readonly languages: string;
}

/**
 * What one endpoint does. The schemas are those of the endpoint's row: the route validates by the row, and refuses to be built when a handler
 * was written for another schema.
 */
export interface Handler {
  readonly requestSchema?: TSchema;
  readonly querySchema?: TObject;
  readonly run: (deps: HandlerDeps, call: Call, input: unknown) => Reply | Promise<Reply>;
}

/** A handler that takes neither body nor query. */
export function plain(run: (deps: HandlerDeps, call: Call) => Reply | Promise<Reply>): Handler {
  return { run };
}

/** A handler that takes a body. */
export function taking<Schema extends TSchema>(
  requestSchema: Schema,
  run: (deps: HandlerDeps, call: Call, request: Static<Schema>) => Reply | Promise<Reply>,
): Handler {
  return { requestSchema, run: (deps, call, input) => run(deps, call, input as Static<Schema>) };
}

/** A handler that takes a query. */
export function asking<Schema extends TObject>(
  querySchema: Schema,
  run: (deps: HandlerDeps, call: Call, query: Static<Schema>) => Reply | Promise<Reply>,
): Handler {
  return { querySchema, run: (deps, call, input) => run(deps, call, input as Static<Schema>) };
}

/** The engine's answer. */
export function answerReply(answer: Answer): Reply {
  return keptReply(answer, answer.transactionId);
}
