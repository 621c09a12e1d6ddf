import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import type { HostServerDeps } from './server-options.ts';

export const metricsType = Registry.OPENMETRICS_CONTENT_TYPE;

/** Upper bounds in seconds: from a look-up to a call that has waited for the acquirer to its end. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90];

interface CountedRequest {
  readonly method: string;
  /** Pattern of the endpoint's path; `none` for a path that is none. */
  readonly route: string;
  readonly statusCode: number;
  readonly durationMs: number;
}

/** What a scraper reads. It names no merchant, terminal or payment. */
export interface HostMetrics {
  countRequest(request: CountedRequest): void;
  /** OpenMetrics text; never rejects: what the database cannot tell now is NaN. */
  text(): Promise<string>;
}

interface OpenCount {
  readonly open: number;
  readonly forPerson: number;
}

type MetricsDeps = Pick<HostServerDeps, 'store' | 'acquirer' | 'bus'> & { readonly linkCount: () => number };

/** Metrics of one server (decisions: Rate limits, recovery/reverse; ADR 16). */
export function createMetrics({ store, acquirer, bus, linkCount }: MetricsDeps): HostMetrics {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(metricsType);
  const registers = [registry];
  const requests = new Counter({
    name: 'till_host_requests',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'till_host_request_duration_seconds',
    help: 'Seconds from a request to its answer.',
    labelNames: ['route'] as const,
    buckets: durationBuckets,
    registers,
  });
  const gaugeOf = (name: string, help: string) => new Gauge({ name, help, registers });
  const gauges = {
    openTasks: gaugeOf('till_host_recovery_tasks_open', 'Payments of unknown outcome that are being asked for.'),
    tasksForPerson: gaugeOf(
      'till_host_recovery_tasks_for_person',
      'Recovery tasks that did not end by themselves: somebody must look. Alert above 0.',
    ),
    openReversals: gaugeOf('till_host_reversals_open', 'Reversals that the acquirer has not confirmed yet.'),
    reversalsForPerson: gaugeOf(
      'till_host_reversals_for_person',
      'Reversals that were tried often and are not confirmed: somebody must look. Alert above 0.',
    ),
    sessions: gaugeOf(
      'till_host_sessions_in_recovery',
      'Payment sessions whose end was not told in time: somebody must look. Alert above 0.',
    ),
    database: gaugeOf('till_host_database_ready', '1 while the database answers.'),
    acquirer: gaugeOf('till_host_acquirer_ready', '1 while a message to the acquirer would be sent.'),
    links: gaugeOf('till_host_terminal_links', 'Terminals that are linked to this process.'),
  };

  // Where there is one host, there is nobody to hear.
  const nats =
    bus === undefined ? undefined : gaugeOf('till_host_nats_ready', '1 while the other hosts are heard over NATS.');

  const setOpen = (open: Gauge, forPerson: Gauge, count: OpenCount | undefined) => {
    // While the database is away nobody knows: 0 would say that nothing waits.
    open.set(count?.open ?? Number.NaN);
    forPerson.set(count?.forPerson ?? Number.NaN);
  };

  return {
    countRequest({ method, route, statusCode, durationMs }) {
      requests.inc({ method, route, status: String(statusCode) });
      durations.observe({ route }, durationMs / 1000);
    },
    async text() {
      const [isReady, tasks, reversals, sessions] = await Promise.all([
        store.isReady(),
        store.read.countOpenTasks().catch(() => undefined),
        store.read.countOpenReversals().catch(() => undefined),
        store.read.countSessionsInRecovery().catch(() => Number.NaN),
      ]);
      gauges.database.set(isReady ? 1 : 0);
      gauges.acquirer.set(acquirer.isReady() ? 1 : 0);
      gauges.sessions.set(sessions);
      nats?.set(bus?.isConnected() === true ? 1 : 0);
      gauges.links.set(linkCount());
      setOpen(gauges.openTasks, gauges.tasksForPerson, tasks);
      setOpen(gauges.openReversals, gauges.reversalsForPerson, reversals);
      return await registry.metrics();
    },
  };
}
