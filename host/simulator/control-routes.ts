import type { ArmedRule, ArmedRules, RequestType } from './armed-rules.ts';
import { type ControlBody, ControlError, type ControlRoutes } from './control-server.ts';
import type { LineServer } from './line-server.ts';
import { parseRule, ruleNames } from './rules.ts';
import type { BookSummary } from './standing.ts';

const MAX_TIMES = 1_000_000;
const requestTypes: readonly RequestType[] = [
  ...(['AUTHORIZE', 'CAPTURE', 'ADJUST_TIP', 'VOID', 'REFUND', 'REVERSE', 'ASK', 'CLOSE_BATCH'] as const),
];

export interface ControlDeps {
  readonly line: LineServer;
  readonly armed: ArmedRules;
  readonly readBook: () => BookSummary;
  /** The owner is still there. */
  readonly renewLease: () => void;
  readonly stop: () => void;
}

/** What can be asked of and done to the simulator. */
export function createControlRoutes({ line, armed, readBook, renewLease, stop }: ControlDeps): ControlRoutes {
  const state = () => ({
    simulated: true,
    pid: process.pid,
    port: line.port,
    connections: line.connectionCount(),
    refusedLines: line.refusedLines(),
    armed: armed.list().map(({ rule, ...each }) => ({ rule: rule.name, ...each })),
  });
  const faults: Readonly<Record<string, () => void>> = {
    drop: line.dropAll,
    refuse: () => {
      line.setAccepting(false);
      line.dropAll();
    },
    accept: () => line.setAccepting(true),
  };
  return {
    'GET /state': state,
    'GET /book': readBook,
    'POST /next': (body) => {
      armed.arm(readArmedRule(body));
      return state();
    },
    'DELETE /next': () => {
      armed.disarm();
      return state();
    },
    'POST /fault': ({ fault }) => {
      const cause = typeof fault === 'string' && Object.hasOwn(faults, fault) ? faults[fault] : undefined;
      if (cause === undefined) throw new ControlError(400, `fault must be one of ${Object.keys(faults).join(' ')}.`);
      cause();
      return state();
    },
    'POST /lease': () => {
      renewLease();
      return state();
    },
    'POST /stop': () => {
      stop();
      return { stopping: true };
    },
  };
}

/** @throws ControlError */
function readArmedRule(body: ControlBody): ArmedRule {
  const { rule, times = 1, skip = 0, types = [] } = body;
  const stranger = Object.keys(body).find((name) => !['rule', 'times', 'skip', 'types'].includes(name));
  if (stranger !== undefined) throw new ControlError(400, `${stranger} is not a known field.`);
  const known = typeof rule === 'string' ? parseRule(rule) : undefined;
  if (known === undefined) throw new ControlError(400, `rule must be one of ${ruleNames.join(' ')}.`);
  if (!Array.isArray(types) || !types.every((type) => requestTypes.includes(type)))
    throw new ControlError(400, `types must be a list of ${requestTypes.join(' ')}.`);
  return { rule: known, times: readCount('times', times, 1), skip: readCount('skip', skip, 0), types };
}

function readCount(name: string, value: unknown, min: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= MAX_TIMES) return value;
  throw new ControlError(400, `${name} must be ${min} … ${MAX_TIMES}.`);
}
