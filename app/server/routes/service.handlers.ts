import { DoctorQuery } from '../../contract/doctor-query.ts';
import type { EndpointId } from '../../contract/endpoints.ts';
import type { HealthResponse, MetaResponse } from '../../contract/recovery.ts';
import { EventQuery } from '../../contract/session.ts';
import { jsonReply } from '../../http/reply.ts';
import { terminalInfoOf } from '../../services/terminal-info.ts';
import { asking, type Handler, plain } from './handler.ts';

/** What this till can do beyond the specification, by name, so that a POS can ask before it relies on it. */
const features = [
  'idempotency-key',
  'transaction-look-up',
  'abort',
  'device-interaction',
  'event-replay',
  'session-ticket',
  'recovery-tasks',
  'reconciliation-totals',
];

/** Liveness, versions, documents, and what belongs to the session (decisions: Service, WebSocket, Events). */
export const serviceHandlers = {
  'service.health': plain(({ settings }) => {
    const answer: HealthResponse = { status: 'ok', version: settings.version };
    return jsonReply(answer);
  }),
  'service.meta': plain(async ({ till, settings }) => {
    const { POS_API_VERSION } = await import('../../contract/openapi.ts');
    const answer: MetaResponse = {
      version: settings.version,
      apiVersions: [POS_API_VERSION],
      features,
      training: settings.training,
      terminals: till.terminals().map(terminalInfoOf),
    };
    return jsonReply(answer);
  }),
  // The documents are loaded when they are asked for: a start needs none of them.
  'service.openapi': plain(async () => {
    const { createOpenApiDocument } = await import('../../contract/openapi.ts');
    return jsonReply(createOpenApiDocument());
  }),
  'service.asyncapi': plain(async () => {
    const { createAsyncApiDocument } = await import('../../contract/asyncapi.ts');
    return jsonReply(createAsyncApiDocument());
  }),
  'service.docs': plain(async () => {
    const [{ docsReply }, { createPosDocsPage }] = await Promise.all([
      import('../../http/docs-reply.ts'),
      import('../../contract/pos-docs-page.ts'),
    ]);
    return docsReply(createPosDocsPage());
  }),
  'service.doctor': asking(DoctorQuery, async ({ doctor }, call, query) => {
    const { doctorReply } = await import('./doctor-reply.ts');
    return doctorReply(doctor, call.languages, query);
  }),
  'session.ticket': plain(({ tickets }, call) => {
    if (call.caller === null) throw new TypeError('the endpoint needs a key, so there is a caller');
    return jsonReply(tickets.issue(call.caller));
  }),
  'events.list': asking(EventQuery, ({ till }, call, query) => {
    const events = till.eventsAfter(call.context, query.after);
    const data = events.slice(0, query.limit);
    return jsonReply({
      data,
      hasMore: events.length > data.length,
      lastSequence: data.at(-1)?.sequence ?? query.after,
    });
  }),
} as const satisfies Partial<Record<EndpointId, Handler>>;
