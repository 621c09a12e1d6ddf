import type { HostEndpointId } from '../../app/contract/host/host-endpoints.ts';
import type { HostMetaResponse, ReadyResponse } from '../../app/contract/host/host-service.ts';
import type { HealthResponse } from '../../app/contract/recovery.ts';
import { jsonReply } from '../../app/http/reply.ts';
import { forAnybody, type Handler } from './handler.ts';
import { metricsType } from './metrics.ts';

const { plain } = forAnybody;

/** What this host can do beyond the specification, by name, so that a caller can ask before it relies on it. */
const features = [
  'idempotency-key',
  'transaction-look-up',
  'payment-sessions-create',
  'payment-refunds',
  'payment-recovery',
  'external-rail',
  'terminal-link',
  'settlement-export',
];

/** What the host tells of itself (decisions: Service). */
export const serviceHandlers = {
  'service.health': plain(({ settings }) => {
    const answer: HealthResponse = { status: 'ok', version: settings.version };
    return jsonReply(answer);
  }),
  'service.ready': plain(async ({ store, bus, isDraining }) => {
    const database = await store.isReady();
    const nodes = bus?.isConnected();
    // Where others are heard and this host is not, calls are better off there. Where nobody is, each serves what it can.
    const isCutOff =
      bus !== undefined && nodes === false && (await store.isAnotherNodeHeard(bus.node).catch(() => true));
    const status = isDraining() ? 'draining' : database && !isCutOff ? 'ready' : 'unavailable';
    const answer: ReadyResponse = { status, database, ...(nodes === undefined ? {} : { nodes }) };
    return jsonReply(answer, status === 'ready' ? 200 : 503);
  }),
  'service.metrics': plain(async ({ metrics }) => ({
    statusCode: 200,
    body: await metrics.text(),
    headers: { 'content-type': metricsType },
  })),
  'service.meta': plain(async ({ settings, acquirer, acquirerName }) => {
    const { HOST_API_VERSION } = await import('../../app/contract/host/host-openapi.ts');
    const { canAdjustTips, canInquireBalance, isSimulated } = acquirer.capabilities;
    const answer: HostMetaResponse = {
      version: settings.version,
      apiVersions: [HOST_API_VERSION],
      features,
      acquirer: {
        kind: acquirerName,
        tipAdjust: canAdjustTips,
        balances: canInquireBalance,
        simulated: isSimulated,
      },
    };
    return jsonReply(answer);
  }),
  // The documents are loaded when they are asked for: a start needs none of them.
  'service.openapi': plain(async () => {
    const { createHostOpenApiDocument } = await import('../../app/contract/host/host-openapi.ts');
    return jsonReply(createHostOpenApiDocument());
  }),
  'service.docs': plain(async () => {
    const [{ docsReply }, { createHostDocsPage }] = await Promise.all([
      import('../../app/http/docs-reply.ts'),
      import('../../app/contract/host/host-docs-page.ts'),
    ]);
    return docsReply(createHostDocsPage());
  }),
} as const satisfies Partial<Record<HostEndpointId, Handler>>;
