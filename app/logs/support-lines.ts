import type { BundleEnd, BundleFinding, SupportProgress, VerificationEnd } from '../ports/support-work.ts';

type Told = Readonly<Record<string, unknown>>;

const steps = ['VERIFY', 'COLLECT', 'SCAN'] as const;
const noWords = 'the program ended without a word';

/** One line of a program: a JSON object; undefined for anything else. */
export function objectOfLine(line: string): Told | undefined {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Told | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

export function isProgress(told: unknown): told is SupportProgress {
  const progress = objectOf(told);
  return (
    steps.some((step) => step === progress?.step) && Number.isFinite(progress?.done) && Number.isFinite(progress?.of)
  );
}

/** What became of a verification, by the last line of its program. */
export function verificationEndOf(
  last: Told | undefined,
  at: string,
  words: string,
  maxFindings: number,
): VerificationEnd {
  if (typeof last?.ok !== 'boolean') return { kind: 'FAILED', reason: words || noWords };
  const findings = listOf(last.findings).filter((text) => typeof text === 'string');
  return { kind: 'VERIFIED', at, ok: last.ok, rows: numberOf(last.rows), findings: findings.slice(0, maxFindings) };
}

/** What became of a bundle, by the last line of its program. */
export function bundleEndOf(
  last: Told | undefined,
  file: { readonly fileName: string; readonly madeAt: string; readonly byteCount: number },
  words: string,
): BundleEnd {
  if (last?.result === 'REFUSED') {
    const findings = listOf(last.findings).flatMap((each) => findingOf(objectOf(each)) ?? []);
    return { kind: 'REFUSED', count: numberOf(last.count), findings };
  }
  if (last?.result !== 'MADE') return { kind: 'FAILED', reason: words || noWords };
  const entries = listOf(last.entries).flatMap((each) => {
    const entry = objectOf(each);
    return typeof entry?.name === 'string' ? [{ name: entry.name, byteCount: numberOf(entry.byteCount) }] : [];
  });
  return { kind: 'MADE', ...file, entries, removedLines: numberOf(last.removedLines) };
}

function findingOf(given: Told | undefined): BundleFinding | undefined {
  if (typeof given?.entry !== 'string' || typeof given.kind !== 'string') return undefined;
  const { entry, kind, line } = given;
  return { entry, kind, ...(typeof line === 'number' ? { line } : {}) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
