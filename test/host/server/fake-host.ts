import { randomUUID } from 'node:crypto';
import { credentialHash } from '../../../host/services/credentials.ts';
import type {
  DeviceCaller,
  Host,
  HostAdmission,
  HostAnswer,
  PosCaller,
  PosKeyHolder,
  PosTickets,
  SecretCaller,
} from '../../../host/services/host.ts';

/** What the server asked of the host. */
interface FakeCall {
  readonly method: keyof Host;
  readonly input: readonly unknown[];
}

export interface FakeHost {
  readonly host: Host;
  readonly calls: FakeCall[];
  /** Credentials that work no more. */
  readonly revoked: Set<string>;
  /** Another answer than the plain one. */
  answerWith(method: keyof Host, answer: (...input: readonly unknown[]) => unknown): void;
}

/** One credential of each kind, as callers send them. */
export const credentials = {
  deviceToken: 'dt_good-device-token',
  otherDeviceToken: 'dt_other-device-token',
  secretKey: 'sk_good-secret-key',
  otherSecretKey: 'sk_other-secret-key',
  publishableKey: 'pk_good-publishable-key',
  posKey: 'pos_a-key-of-a-pos',
  unknownPosKey: 'pos_a-key-of-nobody',
} as const;

export const device: DeviceCaller = {
  kind: 'DEVICE',
  merchantId: 'M-1',
  terminalId: 'T-1',
  deviceId: 'D-1',
  currency: 'EUR',
  businessDay: { timeZone: 'UTC', cutOff: '00:00' },
};
export const merchant: SecretCaller = { kind: 'SECRET', merchantId: 'M-1', keyId: 'key-1' };

export const pos: PosCaller = { kind: 'POS', merchantId: 'M-1', clientId: 'C-1', name: 'Shop' };

const kept: HostAnswer = { statusCode: 200, body: '{"kept":true}', replayed: false, subjectId: 'subject-1' };

/** A host that answers whatever it is asked, and remembers what that was. */
export function createFakeHost(): FakeHost {
  const calls: FakeCall[] = [];
  const revoked = new Set<string>();
  const answers = new Map<keyof Host, (...input: readonly unknown[]) => unknown>();
  const answering =
    (method: keyof Host, plain: unknown) =>
    async (...input: readonly unknown[]) => {
      calls.push({ method, input });
      return (answers.get(method)?.(...input) ?? plain) as never;
    };
  const methods = {
    ...{ authorize: kept, offlineComplete: kept, adjustTip: kept, capture: kept, voidPayment: kept, record: kept },
    ...{ closeOwnDay: kept, claimSession: kept, createSession: kept, refund: kept, closeDay: kept },
    reverse: { payment: { id: 'p-1' } },
    lookUp: { id: 'p-1' },
    deviceConfig: { terminalId: 'T-1', tips: { configVersion: 3 } },
    posClients: { version: 0, clients: [] },
    ...{ sessionEvent: { id: 's-1' }, session: { id: 's-1' }, cancelSession: { id: 's-1' } },
    payments: { data: [], hasMore: false, nextCursor: null },
    ...{ payment: { id: 'p-1' }, recover: { id: 'p-1' }, putTipConfig: { configVersion: 1 }, totals: {} },
    settlements: { data: [], hasMore: false, nextCursor: null },
    settlement: { id: 'settlement-1' },
    settlementExport: { settlement: {}, payments: [] },
    pair: { deviceToken: 'dt_new' },
    posTerminal: { terminalId: 'T-1', currency: 'EUR' },
    posCall: { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"till":true}' },
  } satisfies Record<Exclude<keyof Host, keyof (HostAdmission & PosTickets)>, unknown>;
  const tickets = new Map<string, PosKeyHolder>();
  const answered = Object.fromEntries(
    Object.entries(methods).map(([method, plain]) => [method, answering(method as keyof Host, plain)]),
  ) as unknown as Omit<Host, keyof (HostAdmission & PosTickets)>;
  return {
    calls,
    revoked,
    answerWith: (method, answer) => void answers.set(method, answer),
    host: {
      ...answered,
      async deviceOf(token) {
        if (answers.has('deviceOf')) return answers.get('deviceOf')?.(token) as never;
        if (revoked.has(token)) return undefined;
        if (token === credentials.deviceToken) return device;
        return token === credentials.otherDeviceToken ? { ...device, terminalId: 'T-2' } : undefined;
      },
      async posClientOf(key) {
        return key === credentials.posKey && !revoked.has(key) ? pos : undefined;
      },
      async posClientOfHash(keyHash) {
        const isIt = keyHash === credentialHash(credentials.posKey);
        return isIt && !revoked.has(credentials.posKey) ? pos : undefined;
      },
      async issueTicket(holder) {
        const ticket = randomUUID();
        tickets.set(ticket, holder);
        return { ticket, expiresAt: '2026-11-01T12:00:00.000Z' };
      },
      async redeemTicket(ticket) {
        const holder = tickets.get(ticket);
        tickets.delete(ticket);
        return holder;
      },
      async keyOf(key) {
        if (revoked.has(key)) return undefined;
        if (key === credentials.secretKey) return { kind: 'SECRET', caller: merchant };
        if (key === credentials.otherSecretKey) return { kind: 'SECRET', caller: { ...merchant, keyId: 'key-2' } };
        return key === credentials.publishableKey ? { kind: 'PUBLISHABLE', caller: merchant } : undefined;
      },
    },
  };
}
