import { spawnSync } from 'node:child_process';

/** Runs Debian's hledger over a journal. A machine without it fails: nothing is skipped. */
export function hledger(journal: string, ...parameters: readonly string[]): string {
  const run = spawnSync('hledger', ['-f', '-', ...parameters], { input: journal, encoding: 'utf8' });
  if (run.error !== undefined) throw new Error(`hledger does not run (Debian package hledger): ${run.error.message}`);
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

/** Balances by account, in minor units, as hledger adds them up. */
export function balances(journal: string, currency: string, ...query: readonly string[]): ReadonlyMap<string, number> {
  const csv = hledger(journal, 'balance', '--flat', '-N', '-O', 'csv', `cur:${currency}`, ...query);
  const rows = csv.trim().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [account = '', amount = ''] = row.replaceAll('"', '').split(',');
      return [account, Number(amount.replace(/[^0-9-]/g, ''))];
    }),
  );
}

interface Sums {
  readonly saleAmount: number;
  readonly refundAmount: number;
  readonly voidAmount: number;
}

/** Sales, refunds and voids, as `sumsByGroup` gives them. */
export function sumsOf({ saleAmount, refundAmount, voidAmount }: Sums): readonly number[] {
  return [saleAmount, refundAmount, voidAmount];
}

/** Sales, refunds and voids of a batch, from the accounts of a group: sales are credits, refunds and voids debits. */
export function sumsByGroup(journal: string, currency: string, terminalId: string, batchNumber: number) {
  const found = balances(journal, currency, `tag:terminal=^${terminalId}$`, `tag:batch=^${batchNumber}$`);
  return (group: 'funded' | 'external'): readonly number[] => [
    0 - (found.get(`${group}:sales`) ?? 0),
    found.get(`${group}:refunds`) ?? 0,
    found.get(`${group}:voids`) ?? 0,
  ];
}
