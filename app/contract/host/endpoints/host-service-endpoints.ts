import type { EndpointRow } from '../../endpoint.ts';
import { HealthResponse } from '../../recovery.ts';
import { HostMetaResponse, ReadyResponse } from '../host-service.ts';
import { openCall } from './columns.ts';

/** What the host tells of itself (decisions: Service). */
export const hostServiceEndpoints = [
  {
    ...openCall,
    id: 'service.health',
    path: '/health',
    summary: 'Liveness',
    description: 'Answers while the program runs, whatever its database does.',
    successSchema: HealthResponse,
    errors: [],
  },
  {
    ...openCall,
    id: 'service.ready',
    path: '/ready',
    summary: 'Readiness',
    description: '200 while calls are taken; 503 while the database is away, or the program drains before it stops.',
    successSchema: ReadyResponse,
    errors: ['JOURNAL_UNAVAILABLE'],
  },
  {
    ...openCall,
    id: 'service.metrics',
    path: '/metrics',
    summary: 'Metrics',
    description: 'OpenMetrics text for a scraper. It names no merchant, terminal or payment.',
    successMediaType: 'application/openmetrics-text',
    errors: [],
  },
  {
    ...openCall,
    id: 'service.meta',
    path: '/v1/meta',
    summary: 'Versions and features',
    description: 'What this host is and what its acquirer can do.',
    successSchema: HostMetaResponse,
    errors: [],
  },
  {
    ...openCall,
    id: 'service.openapi',
    path: '/openapi.json',
    summary: 'This interface as OpenAPI 3.1',
    description: 'No key is needed.',
    errors: [],
  },
  {
    ...openCall,
    id: 'service.docs',
    path: '/docs',
    summary: 'The API page',
    description: 'This interface as one page that loads nothing from elsewhere. No key is needed.',
    successMediaType: 'text/html',
    errors: [],
  },
] as const satisfies readonly EndpointRow[];
