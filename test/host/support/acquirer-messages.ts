import { randomUUID } from 'node:crypto';
import type { HostTransactionType } from '../../../app/contract/host/authorize.ts';
import type { CaptureMethod } from '../../../app/contract/host/payment.ts';
import type {
  Acceptor,
  AcquirerCall,
  AuthorizeMessage,
  FollowUpMessage,
  MessageKind,
  MessageTrace,
  OriginalMessage,
  ReversalMessage,
} from '../../../host/ports/acquirer.ts';

/** Long enough that no answer of a test is missed, on any machine. */
const PATIENT_MS = 30_000;

export const shop: Acceptor = { merchantId: 'M-1', terminalId: 'T-1' };

/** Traces as a host draws them: each number once. */
export function createTraces(firstStan = 1): () => MessageTrace {
  let stan = firstStan;
  return () => {
    const trace = {
      reference: randomUUID(),
      stan,
      rrn: String(stan).padStart(12, '0'),
      sentAtMs: Date.UTC(2026, 10, 28, 11, 15, stan % 60),
    };
    stan++;
    return trace;
  };
}

export function patient(call: Partial<AcquirerCall> = {}): AcquirerCall {
  return { timeoutMs: PATIENT_MS, signal: new AbortController().signal, ...call };
}

export function purchase(trace: MessageTrace, change: Partial<AuthorizeMessage> = {}): AuthorizeMessage {
  return {
    ...shop,
    trace,
    operation: 'purchase',
    captureMethod: 'AUTOMATIC',
    amountMinor: 1000,
    currencyCode: 'EUR',
    ...change,
  };
}

export function held(trace: MessageTrace, change: Partial<AuthorizeMessage> = {}): AuthorizeMessage {
  return purchase(trace, { captureMethod: 'MANUAL', ...change });
}

export function preAuth(trace: MessageTrace, change: Partial<AuthorizeMessage> = {}): AuthorizeMessage {
  return held(trace, { operation: 'pre_auth', ...change });
}

interface Originating {
  readonly trace: MessageTrace;
  readonly amountMinor: number;
  readonly operation?: HostTransactionType;
  readonly captureMethod?: CaptureMethod;
}

export function originalOf(
  message: Originating,
  kind: MessageKind = 'AUTHORIZE',
  authorizationCode?: string,
): OriginalMessage {
  const { trace, amountMinor, operation = 'purchase', captureMethod = 'AUTOMATIC' } = message;
  return {
    kind,
    trace,
    operation,
    captureMethod,
    amountMinor,
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
  };
}

export function followUp(
  trace: MessageTrace,
  original: AuthorizeMessage,
  change: Partial<FollowUpMessage> = {},
): FollowUpMessage {
  const { amountMinor, currencyCode } = original;
  return { ...shop, trace, amountMinor, currencyCode, original: originalOf(original), ...change };
}

export function reversal(
  trace: MessageTrace,
  original: OriginalMessage,
  change: Partial<ReversalMessage> = {},
): ReversalMessage {
  return { ...shop, trace, original, currencyCode: 'EUR', reason: 'NO_ANSWER', ...change };
}
