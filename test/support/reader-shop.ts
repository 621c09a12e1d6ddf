import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { PaymentSessionDetail } from '../../app/contract/host/payment-session.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import type { ReaderBookSummary } from '../../drivers/virtual/neo2/book/reader-ledger.ts';
import type { Demo } from '../../host/program/demo.ts';
import { type SimulatorControl, simulatorControl } from '../host/support/simulator-control.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';
import { createPos, type Pos } from './pos.ts';
import { endProgram, type Program, startTill, startVirtualTerminal, type TillReady } from './processes.ts';
import { type Standing, standingAtAcquirer, standingAtHost, standingInJournal, totalOf } from './standing.ts';

/** A shop of built programs: a virtual reader on a pty, a training till with its host, and that host's acquirer. */
export interface ReaderShop {
  readonly dataDir: string;
  readonly reader: ControlClient;
  till(): Program<TillReady>;
  pos(): Pos;
  acquirer(): SimulatorControl;
  readerBook(): Promise<ReaderBookSummary>;
  /** The till is killed, and its host ends with it; a new one starts on the same data folder. */
  killTill(): Promise<void>;
  /** What the merchant's server asks the host for: a purchase at the terminal. @returns the session's id */
  orderAtHost(amountMinor: number): Promise<string>;
  /** The session as the merchant's server sees it. */
  sessionAtHost(sessionId: string): Promise<PaymentSessionDetail>;
  /** What each book says of the payments that our host authorized. */
  books(): Promise<Books>;
  close(): Promise<void>;
}

interface Books {
  readonly journal: Standing;
  readonly host: Standing;
  readonly acquirer: Standing;
  /** What cards have approved, the POS's own payments included: by the reader and by the journal. */
  readonly atCards: CardSums;
  readonly ofJournal: CardSums;
  /** Card steps whose card still waits. */
  readonly open: readonly number[];
}

interface CardSums {
  readonly chargedMinor: number;
  readonly refundedMinor: number;
}

export async function openReaderShop(folder: string): Promise<ReaderShop> {
  const dataDir = join(folder, 'till');
  const line = join(folder, 'tty-reader');
  // Beside the till's folder: what the reader knows is no part of what the till keeps.
  const book = join(folder, 'reader.jsonl');
  const virtual = await startVirtualTerminal([
    ...['--protocol', 'neo2', '--pty', line, '--think-ms', '0', '--book', book],
  ]);
  const reader = controlClient(virtual.ready.controlUrl);
  const start = () => startTill(['--data-dir', dataDir, '--training', '--terminal', `neo2+serial://${line}`]);
  let till = await start();
  const read = (path: string): unknown => JSON.parse(readFileSync(join(dataDir, 'host', path), 'utf8'));
  const pos = () => createPos(till.ready.posUrl, till.ready.posKey ?? '');
  const acquirer = () =>
    simulatorControl((read('acquirer-simulator/address.json') as { readonly controlUrl: string }).controlUrl);
  const readerBook = async () => (await reader.send('GET', '/book')).body as ReaderBookSummary;

  /** As the merchant's server, with its secret key. */
  async function askHost(path: string, body?: object, key?: string): Promise<unknown> {
    const { secretKey } = read('demo.json') as Demo;
    const answer = await fetch(`${till.ready.hostUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': secretKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return await answer.json();
  }

  async function payments(): Promise<readonly Payment[]> {
    return ((await askHost('/v1/payments?limit=100')) as { readonly data: readonly Payment[] }).data;
  }

  return {
    dataDir,
    reader,
    till: () => till,
    pos,
    acquirer,
    readerBook,
    async killTill() {
      till.kill('SIGKILL');
      await till.ended;
      till = await start();
    },
    async orderAtHost(amountMinor) {
      const { merchantId, terminalId } = read('demo.json') as Demo;
      const order = { merchantId, terminalId, operation: 'PURCHASE', amountMinor, currencyCode: 'EUR' };
      const session = await askHost('/v1/terminal/payment-sessions', order, randomUUID());
      return (session as { readonly id: string }).id;
    },
    sessionAtHost: async (sessionId) =>
      (await askHost(`/v1/terminal/payment-sessions/${sessionId}`)) as PaymentSessionDetail,
    async books() {
      const [answer, atHost, book, { approved, leftToIssuer, open }] = await Promise.all([
        pos().get('/v1/transactions?limit=100'),
        payments(),
        acquirer().book(),
        readerBook(),
      ]);
      const journal = answer.body.data as readonly TransactionResponse[];
      return {
        journal: standingInJournal(journal),
        host: standingAtHost(atHost),
        acquirer: standingAtAcquirer(book),
        atCards: {
          chargedMinor: approved.charges.sumMinor,
          refundedMinor: approved.refunds.sumMinor + leftToIssuer.refunds.sumMinor,
        },
        ofJournal: cardSumsOf(journal),
        open,
      };
    },
    async close() {
      await endProgram(till);
      await endProgram(virtual);
    },
  };
}

function cardSumsOf(transactions: readonly TransactionResponse[]): CardSums {
  const sumOf = (...types: readonly TransactionResponse['type'][]) =>
    transactions
      .filter(({ status, type }) => status === 'APPROVED' && types.includes(type))
      .reduce((sum, transaction) => sum + totalOf(transaction), 0);
  return { chargedMinor: sumOf('SALE', 'PRE_AUTH'), refundedMinor: sumOf('REFUND') };
}
