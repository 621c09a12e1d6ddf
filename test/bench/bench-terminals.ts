import { randomUUID } from 'node:crypto';
import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';

/** A paired terminal of the benchmark's host. */
export interface BenchTerminal {
  readonly terminalId: string;
  readonly deviceId: string;
  readonly deviceToken: string;
}

/** What a reader sends for a contactless purchase; every call another payment. */
export function benchPurchase({ terminalId, deviceId }: BenchTerminal): AuthorizeRequest {
  return {
    ...{ terminalId, deviceId, transactionId: randomUUID(), referenceId: `order ${randomUUID()}` },
    ...{ amount: 1234, currencyCode: 'EUR', transactionType: 'purchase', entryMode: 'CONTACTLESS' },
    ...{ cardScheme: 'VISA', maskedPan: '411111******1111', applicationPan: '4111111111111111' },
    emvTlv: {
      ...{ '4F': 'A0000000031010', '82': '2000', '95': '0000000000', '9A': '261128', '9C': '00' },
      ...{ '5F2A': '0978', '9F02': '000000001234', '9F10': '06010A03A00000', '9F1A': '0276' },
      ...{ '9F26': '0123456789ABCDEF', '9F27': '80', '9F36': '0001', '9F37': '01020304' },
    },
    metadata: { lane: '4', cashier: '17' },
  };
}

/** The terminals of a caller, one after the other: no terminal has two payments at once. */
export function terminalsInTurn(
  terminals: readonly BenchTerminal[],
  callers: number,
): (caller: number) => BenchTerminal {
  const turns = Array.from({ length: callers }, () => 0);
  const each = Math.floor(terminals.length / callers);
  return (caller) => {
    const turn = turns[caller] ?? 0;
    turns[caller] = turn + 1;
    const terminal = terminals[caller * each + (turn % each)];
    if (terminal === undefined) throw new Error('more callers than terminals');
    return terminal;
  };
}
