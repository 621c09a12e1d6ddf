import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { HostEndpoint } from '../../app/contract/host/host-endpoints.ts';
import { optional, pathParametersOf, readHeaders, routeOf } from '../../app/http/read-call.ts';
import { keptReply, type Reply } from '../../app/http/reply.ts';
import type { DeviceCaller, Host, HostAnswer, HostCall, SecretCaller } from '../services/host.ts';
import type { HostMetrics } from './metrics.ts';
import type { HostServerDeps, HostServerSettings } from './server-options.ts';

/** What handlers stand on. */
export interface HandlerDeps extends Pick<HostServerDeps, 'store' | 'acquirer' | 'acquirerName' | 'bus'> {
  readonly host: Host;
  readonly settings: HostServerSettings;
  readonly metrics: HostMetrics;
  readonly isDraining: () => boolean;
}

/** A call whose headers have been read. */
export interface Call extends HostCall {
  readonly pathParameters: Readonly<Record<string, string>>;
  /** X-Terminal-Id, where the endpoint concerns one terminal. */
  readonly terminalId?: string;
  readonly ifNoneMatch?: string;
}

/** Reads what a call carries beside its body. @throws BridgeError INVALID_REQUEST naming the header */
export function readCall(endpoint: HostEndpoint, request: FastifyRequest): Call {
  const pathParameters = pathParametersOf(request);
  const headers = readHeaders(endpoint, request, endpoint.picksTerminal);
  return {
    requestId: request.id,
    route: routeOf(endpoint, pathParameters),
    pathParameters,
    ...optional('idempotencyKey', headers['idempotency-key']),
    ...optional('terminalId', headers['x-terminal-id']),
    ...optional('ifNoneMatch', request.headers['if-none-match']),
  };
}

/** The id that stands in the path. */
export function idOf(call: Call): string {
  return call.pathParameters.id ?? call.pathParameters.settlementId ?? '';
}

/**
 * What one endpoint does. The schemas are those of the endpoint's row: the route validates by the row, and refuses to be built when a handler
 * was written for another schema or another kind of caller.
 */
export interface Handler {
  readonly credential: HostEndpoint['credential'];
  readonly requestSchema?: TSchema;
  readonly querySchema?: TObject;
  readonly run: (deps: HandlerDeps, caller: unknown, call: Call, input: unknown) => Reply | Promise<Reply>;
}

/** Makes the handlers of one kind of caller. The admission has checked that it is one. */
function handlersOf<Caller>(credential: HostEndpoint['credential']) {
  type Run<Input> = (deps: HandlerDeps, caller: Caller, call: Call, input: Input) => Reply | Promise<Reply>;
  const run = <Input>(work: Run<Input>): Pick<Handler, 'credential' | 'run'> => ({
    credential,
    run: (deps, caller, call, input) => work(deps, caller as Caller, call, input as Input),
  });
  return {
    /** Takes neither body nor query. */
    plain: (work: Run<void>): Handler => run(work),
    /** Takes a body. */
    taking: <Schema extends TSchema>(requestSchema: Schema, work: Run<Static<Schema>>): Handler => ({
      requestSchema,
      ...run(work),
    }),
    /** Takes a query. */
    asking: <Schema extends TObject>(querySchema: Schema, work: Run<Static<Schema>>): Handler => ({
      querySchema,
      ...run(work),
    }),
  };
}

export const forDevice = handlersOf<DeviceCaller>('device');
export const forMerchant = handlersOf<SecretCaller>('secret');
export const forAnybody = handlersOf<null>('none');

/** The bytes of the service, unchanged. */
export function answerReply(answer: HostAnswer): Reply {
  return keptReply(answer, answer.subjectId);
}
