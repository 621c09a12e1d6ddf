// What a driver cannot do is refused before a byte is sent.
import { expect, it } from 'vitest';
import type { InputRequest } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import type { Terminal, TerminalCommand, TerminalOperation, TerminalOriginal } from '../../app/ports/terminal.ts';
import { readyBench } from './attempt.ts';
import type { BenchKind } from './bench.ts';

const signal = () => new AbortController().signal;

type Ask = (terminal: Terminal, currency: string) => Promise<unknown>;

const original: TerminalOriginal = {
  transactionId: 'T-0',
  kind: 'PRE_AUTH',
  amountMinor: 2_000,
  reference: { receipt: '0001', trace: '000001' },
};
const presented = { tipAmountMinor: 0, cashbackAmountMinor: 0, entryMode: 'AUTO' } as const;

const command = (make: (currency: string) => TerminalCommand): Ask => {
  return (terminal, currency) => terminal.prepare(make(currency), signal());
};
const common = (currency: string) => ({ transactionId: 'T-absent', currency, amountMinor: 1_000 });

/** How each operation is asked of a driver. */
const asks: Readonly<Record<TerminalOperation, Ask>> = {
  SALE: command((currency) => ({ ...common(currency), ...presented, operation: 'SALE' })),
  PRE_AUTH: command((currency) => ({ ...common(currency), ...presented, operation: 'PRE_AUTH' })),
  PRE_AUTH_COMPLETE: command((currency) => ({ ...common(currency), operation: 'PRE_AUTH_COMPLETE', original })),
  REFUND: command((currency) => ({ ...common(currency), operation: 'REFUND', original })),
  VOID: command((currency) => ({ ...common(currency), operation: 'VOID', original })),
  GRANULAR: command((currency) => ({ ...common(currency), ...presented, operation: 'GRANULAR', type: 'SALE' })),
  CARD_READ: command(() => ({ transactionId: 'T-absent', operation: 'CARD_READ', entryMode: 'AUTO' })),
  BALANCE_INQUIRY: command((currency) => ({
    transactionId: 'T-absent',
    operation: 'BALANCE_INQUIRY',
    currency,
    entryMode: 'AUTO',
  })),
  DAY_CLOSE: command((currency) => ({ transactionId: 'T-absent', operation: 'DAY_CLOSE', currency })),
  DISPLAY: (terminal) => terminal.display({ lines: ['Hello'] }, signal()),
  INPUT: (terminal) => terminal.input({ prompt: 'How many?', inputType: 'DIGITS' }, signal()),
  PRINT: (terminal) => terminal.print(['Hello'], signal()),
};

const inputs: Readonly<Record<InputRequest['inputType'], InputRequest>> = {
  CONFIRM: { prompt: 'Sure?', inputType: 'CONFIRM' },
  MENU: { prompt: 'Which?', inputType: 'MENU', options: ['A', 'B'] },
  DIGITS: { prompt: 'How many?', inputType: 'DIGITS' },
  DECIMAL: { prompt: 'How much?', inputType: 'DECIMAL' },
  TEXT: { prompt: 'Who?', inputType: 'TEXT' },
  PHONE: { prompt: 'Call whom?', inputType: 'PHONE' },
  EMAIL: { prompt: 'Write to whom?', inputType: 'EMAIL' },
  SIGNATURE: { prompt: 'Sign', inputType: 'SIGNATURE' },
};

/** Asks, and says with what it was refused and how many bytes the driver wrote meanwhile. */
async function refusalOf(kind: BenchKind, ask: Ask): Promise<{ readonly code: string; readonly bytes: number }> {
  const { bench, terminal } = await readyBench(kind);
  const before = bench.line.bytesFromTill();
  const code = await ask(terminal, kind.currency).then(
    () => 'ACCEPTED',
    (error: unknown) => (error instanceof BridgeError ? error.code : String(error)),
  );
  // What is on its way to the line is written now.
  await bench.clock.advance(0);
  const bytes = bench.line.bytesFromTill() - before;
  await terminal.stop();
  await bench.stop();
  return { code, bytes };
}

const refused = (code: string) => ({ code, bytes: 0 });

export function describeAbsent(kind: BenchKind): void {
  const operations = Object.keys(asks) as readonly TerminalOperation[];

  it('refuses every operation that it does not have, and every kind of input, with no byte sent', async () => {
    const { bench, terminal } = await readyBench(kind);
    const { capabilities } = terminal;
    await terminal.stop();
    await bench.stop();
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const operation of operations.filter((name) => !capabilities.operations.has(name))) {
      found[operation] = await refusalOf(kind, asks[operation]);
      expected[operation] = refused('OPERATION_NOT_SUPPORTED');
    }
    for (const request of Object.values(inputs).filter(({ inputType }) => !capabilities.inputTypes.has(inputType))) {
      found[request.inputType] = await refusalOf(kind, (asked) => asked.input(request, signal()));
      expected[request.inputType] = refused('OPERATION_NOT_SUPPORTED');
    }
    expect(found).toEqual(expected);
    expect(Object.keys(found).length).toBeGreaterThan(0);
  });

  it('refuses cash-back, another currency and an amount beyond its field with no byte sent', async () => {
    const { bench, terminal } = await readyBench(kind);
    const { capabilities } = terminal;
    await terminal.stop();
    await bench.stop();
    const { operation, type } = capabilities.operations.has('SALE')
      ? ({ operation: 'SALE', type: undefined } as const)
      : ({ operation: 'GRANULAR', type: 'SALE' } as const);
    const asking =
      (change: {
        readonly cashbackAmountMinor?: number;
        readonly currency?: string;
        readonly amountMinor?: number;
      }): Ask =>
      (asked, currency) => {
        const fields = { ...common(currency), ...presented, ...change };
        return asked.prepare(
          operation === 'SALE' ? { ...fields, operation } : { ...fields, operation, type },
          signal(),
        );
      };
    if (!capabilities.cashback)
      expect(await refusalOf(kind, asking({ cashbackAmountMinor: 500 }))).toEqual(refused('OPERATION_NOT_SUPPORTED'));
    expect(await refusalOf(kind, asking({ currency: 'JPY' }))).toEqual(refused('UNSUPPORTED_CURRENCY'));
    expect(await refusalOf(kind, asking({ amountMinor: capabilities.maxAmountMinor + 1 }))).toEqual(
      refused('AMOUNT_TOO_LARGE'),
    );
  });
}
