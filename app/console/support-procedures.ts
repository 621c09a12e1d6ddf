import { MAX_LISTED_LOG_LINES, MAX_PREVIEW_CHARACTERS } from '../contract/console/console-limits.ts';
import type { BundleView, VerificationView } from '../contract/console/support.ts';
import { BridgeError } from '../contract/errors.ts';
import type { Running, SupportProgress } from '../ports/support-work.ts';
import { type ConsoleCall, contextOf, type Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { offerExport } from './offer-export.ts';

type SupportHandlers = Pick<Handlers, Extract<keyof Handlers, `support.${string}`>>;

/** The till's inside for a support person: log, lines of the terminals, state, journal check, and the bundle that is handed over. */
export function createSupportHandlers(deps: ConsoleDeps): SupportHandlers {
  const { support, logView, wire, till, clock, settings, doctor } = deps;
  const run = deps.ids.next();
  const bundle = createJob<BundleView>();
  const verification = createJob<VerificationView>();

  function terminals(call: ConsoleCall) {
    return till.terminals().map(({ terminalId, protocol }) => {
      const status = till.knownHealth(contextOf(call, 'support.diagnostics', { terminalId }));
      return { terminalId, protocol, status };
    });
  }

  return {
    'support.log'(_, { after, run: known }) {
      const lines = logView.after(known === run ? after : 0).slice(-MAX_LISTED_LOG_LINES);
      return { run, lines: lines.map(({ fields, ...line }) => ({ ...line, fields: { ...fields } })) };
    },
    'support.traces': (_, { terminalId }) => ({
      traces: wire.of(terminalId).map(({ terminalId: _id, fields, ...trace }) => ({ ...trace, fields: [...fields] })),
    }),
    'support.diagnostics': (call) => ({
      now: nowIso(clock),
      timeZone: settings.timeZone,
      ...support.facts(),
      posUrl: doctor.posUrl(),
      terminals: terminals(call).map(({ terminalId, protocol, status: { connected, state } }) => ({
        ...{ terminalId, protocol, connected, state },
      })),
    }),
    'support.work': () => ({ bundle: bundle.view(), verification: verification.view() }),
    'support.verify'() {
      verification.start((onProgress) => support.verifyJournal(onProgress));
      return {};
    },
    'support.makeBundle'(call, { days, leavesOutLines }) {
      const live = terminals(call).map(({ terminalId, protocol, status }) => ({ ...status, terminalId, protocol }));
      bundle.start((onProgress) => support.makeBundle({ days, leavesOutLines, terminals: live }, onProgress));
      return {};
    },
    'support.stop'(_, { what }) {
      (what === 'BUNDLE' ? bundle : verification).cancel();
      return {};
    },
    async 'support.entry'(_, { name }) {
      const made = madeBundle();
      if (made.entries.every((entry) => entry.name !== name))
        throw new BridgeError('NOT_FOUND', 'the bundle has no such entry');
      return support.readEntry(name, MAX_PREVIEW_CHARACTERS);
    },
    'support.handOver'(call) {
      const { fileName } = madeBundle();
      return offerExport(deps, call, { fileName, contentType: 'application/zip', open: () => support.openBundle() });
    },
  };

  function madeBundle(): BundleView & { readonly kind: 'MADE' } {
    const view = bundle.view();
    if (view.kind !== 'MADE') throw new BridgeError('NOT_FOUND', 'there is no bundle');
    return view;
  }
}

interface Job<View> {
  view(): View;
  /** Nothing happens while one runs. */
  start(begin: (onProgress: (progress: SupportProgress) => void) => Running<View>): void;
  cancel(): void;
}

type None = { readonly kind: 'NONE' } | ({ readonly kind: 'RUNNING' } & SupportProgress);

/** Something that takes a while: one at a time, and its end is kept until the next. */
function createJob<View extends { readonly kind: string }>(): Job<View | None> {
  let view: View | None = { kind: 'NONE' };
  let running: Running<View | None> | undefined;
  return {
    view: () => view,
    start(begin) {
      if (running !== undefined) return;
      view = { kind: 'RUNNING', step: 'VERIFY', done: 0, of: 0 };
      const started = begin((progress) => {
        if (running === started) view = { kind: 'RUNNING', ...progress };
      });
      running = started;
      void started.ended.then((end) => {
        running = undefined;
        view = end;
      });
    },
    cancel: () => running?.cancel(),
  };
}
