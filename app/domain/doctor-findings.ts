import type { Diagnosis, ProbeView } from '../contract/console/integrations.ts';
import type { DoctorTextKey } from '../contract/doctor-text-key.ts';
import type { OriginProblem } from './web-origin.ts';

/** GOOD: in order. BAD: to mend. NOT_TRIED: nobody knows yet. */
export type FindingState = 'GOOD' | 'BAD' | 'NOT_TRIED';

/** What was found, as a text of the catalogue. */
export interface Finding {
  readonly state: FindingState;
  readonly text: DoctorTextKey;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Milliseconds that two clocks may be apart: the till answers within a part of it. */
export const MAX_CLOCK_SKEW_MS = 5_000;

/** In a frame: the newer names of the permission beside the older one, which they replace; each browser takes those it knows. */
export const FRAME_EXAMPLE =
  '<iframe src="https://pos.example" allow="local-network-access; loopback-network; local-network"></iframe>';

/** The word for each state. */
export const findingWords = {
  GOOD: 'doctor:good',
  BAD: 'doctor:bad',
  NOT_TRIED: 'doctor:notTried',
} as const satisfies Record<FindingState, DoctorTextKey>;

/** Why a text is no origin, in words. */
export const originProblemTexts = {
  WILDCARD: 'doctor:problemWildcard',
  SCHEME: 'doctor:problemScheme',
  NOT_SECURE: 'doctor:problemNotSecure',
  PATH: 'doctor:problemPath',
  HOST: 'doctor:problemHost',
} as const satisfies Record<OriginProblem, DoctorTextKey>;

export interface FindingContext {
  /** Where the POS API listens. */
  readonly posUrl: string;
  /** An instant as people read it. */
  readonly time: (iso: string) => string;
  /** False where strangers look: which program has a port is for the operator to see. */
  readonly showsHolder: boolean;
}

const rateLimited = 429;

/** What the till can tell, one sentence for each thing that it looked at. */
export function findingsOf(found: Diagnosis, context: FindingContext): readonly Finding[] {
  const { posUrl, time } = context;
  const { origin, lastSeen, preflight, webSocket } = found;
  const findings = [
    portFinding(found, context),
    found.isEncryptedAddress ? finding('BAD', 'doctor:encrypted', { url: posUrl }) : undefined,
    probed(found.host, 200, 'doctor:hostGood', 'doctor:hostBad', { url: posUrl }),
  ];
  if (origin !== undefined) {
    findings.push(
      origin.isAllowed
        ? finding('GOOD', 'doctor:originGood', { origin: origin.origin })
        : finding('BAD', 'doctor:originBad', { origin: origin.origin }),
      preflight && probed(preflight, 204, 'doctor:corsGood', 'doctor:corsBad'),
      webSocket && probed(webSocket, 101, 'doctor:socketGood', 'doctor:socketBad'),
      lastSeenFinding(lastSeen, time),
    );
  }
  return findings.filter((each) => each !== undefined);
}

/** @param skewMs how far the clocks of browser and till are apart */
export function clockFinding(skewMs: number): Finding {
  if (skewMs <= MAX_CLOCK_SKEW_MS) return finding('GOOD', 'doctor:clockGood');
  return finding('BAD', 'doctor:clockBad', { seconds: Math.round(skewMs / 1000) });
}

function finding(state: FindingState, text: DoctorTextKey, values: Finding['values'] = {}): Finding {
  return { state, text, values };
}

function portFinding({ port }: Diagnosis, { showsHolder }: FindingContext): Finding {
  const { own, called, holder } = port;
  if (own === called) return finding('GOOD', 'doctor:portOwn', { port: own });
  if (!showsHolder) return finding('BAD', 'doctor:portForeign', { port: called, own });
  if (holder === undefined) return finding('BAD', 'doctor:portNobody', { port: called, own });
  return finding('BAD', 'doctor:portOther', { port: called, own, holder });
}

function probed(
  { statusCode }: ProbeView,
  wanted: number,
  good: DoctorTextKey,
  bad: DoctorTextKey,
  values: Finding['values'] = {},
): Finding {
  if (statusCode === rateLimited) return finding('NOT_TRIED', 'doctor:busy');
  return statusCode === wanted ? finding('GOOD', good) : finding('BAD', bad, values);
}

function lastSeenFinding(lastSeen: Diagnosis['lastSeen'], time: FindingContext['time']): Finding {
  if (lastSeen === undefined) return finding('NOT_TRIED', 'doctor:seenNever');
  const values = { time: time(lastSeen.at) };
  return lastSeen.statusCode < 400
    ? finding('GOOD', 'doctor:seenGood', values)
    : finding('BAD', 'doctor:seenBad', values);
}
