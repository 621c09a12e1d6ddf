import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * A small acquirer with a book of its own, for the battery. It shares nothing with the host: it reads messages by a table of its own, repeats the
 * bytes that came, and writes what it adds as text.
 */
export interface IsoShopAcquirer {
  readonly port: number;
  /** What the next message meets. */
  declineNext(code: string): void;
  withholdNext(): void;
  tellWrongAmountNext(): void;
  release(): void;
  setAccepting(isAccepting: boolean): void;
  book(): { heldMinor: number; capturedMinor: number; refundedMinor: number; messages: number };
  close(): Promise<void>;
}

interface Payment {
  state: 'HELD' | 'CAPTURED' | 'GONE';
  heldMinor: number;
  capturedMinor: number;
  readonly isRefund: boolean;
  isVoided: boolean;
  isSettled: boolean;
}

type Request = ReadonlyMap<number, string>;

/** Characters of fixed elements; 'LL' and 'LLL' tell their own length. Only what arrives without a card. */
const lengths: Readonly<Record<number, number | 'LL' | 'LLL'>> = {
  ...{
    3: 6,
    4: 12,
    7: 10,
    11: 6,
    12: 6,
    13: 4,
    22: 3,
    25: 2,
    32: 'LL',
    37: 12,
    38: 6,
    39: 2,
    41: 8,
    42: 15,
    49: 3,
    50: 3,
  },
  ...{ 54: 'LLL', 70: 3, 74: 10, 75: 10, 76: 10, 77: 10, 86: 16, 87: 16, 88: 16, 89: 16, 90: 42, 97: 17 },
};

function read(text: string): { readonly mti: string; readonly request: Request } {
  const bits = [...text.slice(4, 20)].map((byte) => byte.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  const count = bits.startsWith('1') ? 128 : 64;
  const request = new Map<number, string>();
  let at = 4 + count / 8;
  for (let number = 2; number <= count; number++) {
    if (bits[number - 1] !== '1') continue;
    const length = lengths[number];
    if (length === undefined) throw new Error(`element ${number} is not expected here`);
    const start = typeof length === 'number' ? at : at + length.length;
    const end = start + (typeof length === 'number' ? length : Number(text.slice(at, start)));
    request.set(number, text.slice(start, end));
    at = end;
  }
  if (at !== text.length) throw new Error('the message is longer than its elements');
  return { mti: text.slice(0, 4), request };
}

function write(mti: string, elements: ReadonlyMap<number, string>): Buffer {
  const numbers = [...elements.keys()].sort((a, b) => a - b);
  const isLong = numbers.some((number) => number > 64);
  const bits = Array.from({ length: isLong ? 128 : 64 }, (_, index) =>
    numbers.includes(index + 1) || (isLong && index === 0) ? '1' : '0',
  );
  const bitmap = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
  const body = Buffer.concat([
    Buffer.from(mti),
    bitmap,
    Buffer.from(numbers.map((number) => elements.get(number)).join(''), 'latin1'),
  ]);
  return Buffer.concat([Buffer.from([body.length >> 8, body.length & 0xff]), body]);
}

export async function openIsoShopAcquirer(): Promise<IsoShopAcquirer> {
  const payments = new Map<string, Payment>();
  const answers = new Map<string, ReadonlyMap<number, string>>();
  const kept: Buffer[] = [];
  let next: { decline?: string; withhold?: boolean; wrongAmount?: boolean } = {};
  let socket: Socket | undefined;
  let isAccepting = true;

  /** DE 90 begins with type, trace number and time of the original. */
  const originalOf = (request: Request) => payments.get(request.get(90)?.slice(0, 20) ?? '');
  const amountOf = (request: Request) => Number(request.get(4));

  const decide = (mti: string, request: Request, key: string): string => {
    const original = originalOf(request);
    const amountMinor = amountOf(request);
    const processing = request.get(3) ?? '';
    const add = (state: 'HELD' | 'CAPTURED', isRefund: boolean) => {
      const isHeld = state === 'HELD';
      payments.set(key, {
        state,
        heldMinor: isHeld ? amountMinor : 0,
        capturedMinor: isHeld ? 0 : amountMinor,
        isRefund,
        isVoided: false,
        isSettled: false,
      });
      return '00';
    };
    if (mti === '0100') return add('HELD', false);
    if (mti === '0200') return add('CAPTURED', processing.startsWith('20'));
    if (original === undefined) return '25';
    if (mti === '0420') {
      if (original.isSettled) return '12';
      original.state = 'GONE';
      return '00';
    }
    if (mti === '0400') {
      original.isVoided = original.state === 'CAPTURED';
      original.state = 'GONE';
      return '00';
    }
    if (original.state !== 'HELD' || (processing.startsWith('00') && amountMinor > original.heldMinor)) return '12';
    if (processing.startsWith('02')) original.heldMinor = amountMinor;
    else {
      original.state = 'CAPTURED';
      original.capturedMinor = amountMinor;
    }
    return '00';
  };

  const closeBatch = (request: Request): [number, string][] => {
    const open = [...payments.values()].filter(
      ({ state, isVoided, isSettled }) => !isSettled && (state === 'CAPTURED' || isVoided),
    );
    const figure = (list: readonly Payment[]) =>
      [list.length, list.reduce((sum, each) => sum + each.capturedMinor, 0)] as const;
    const [saleCount, saleSum] = figure(open.filter(({ isRefund }) => !isRefund));
    const [refundCount, refundSum] = figure(open.filter(({ isRefund }) => isRefund));
    const [voidCount, voidSum] = figure(open.filter(({ isVoided }) => isVoided));
    for (const each of open) each.isSettled = true;
    const totals: [number, string][] = [
      [74, String(refundCount).padStart(10, '0')],
      [75, '0'.repeat(10)],
      [76, String(saleCount).padStart(10, '0')],
      [77, String(voidCount).padStart(10, '0')],
      [86, String(refundSum).padStart(16, '0')],
      [87, '0'.repeat(16)],
      [88, String(saleSum).padStart(16, '0')],
      [89, String(voidSum).padStart(16, '0')],
    ];
    return [...totals, [66, totals.every(([number, text]) => request.get(number) === text) ? '1' : '2']];
  };

  const answer = (mti: string, request: Request): ReadonlyMap<number, string> => {
    const first = `${mti.slice(0, 3)}0`;
    const key = `${first}${request.get(11)}${request.get(7)}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const { decline } = next;
    const isClose = first === '0500';
    const code = decline ?? (isClose ? '00' : decide(first, request, key));
    const echoed = [3, 4, 7, 11, 37, 41, 49].flatMap((number): [number, string][] => {
      const value = request.get(number);
      return value === undefined ? [] : [[number, value]];
    });
    const approval: [number, string][] =
      code === '00' && (first === '0100' || first === '0200') ? [[38, `OK${request.get(11)?.slice(2)}`]] : [];
    const told = new Map([
      ...echoed,
      [39, code] as const,
      ...approval,
      ...(isClose && code === '00' ? closeBatch(request) : []),
    ]);
    answers.set(key, told);
    return told;
  };

  const receive = (text: string, from: Socket) => {
    const { mti, request } = read(text);
    const isNetwork = mti.startsWith('08');
    const told = isNetwork ? new Map([...request, [39, '00'] as const]) : answer(mti, request);
    const { withhold, wrongAmount } = next;
    if (!isNetwork) next = {};
    const shown =
      wrongAmount === true ? new Map([...told, [4, String(Number(told.get(4)) + 1).padStart(12, '0')] as const]) : told;
    const bytes = write(`${mti.slice(0, 2)}${Number(mti[2]) + 1}0`, shown);
    if (withhold === true && !isNetwork) kept.push(bytes);
    else from.write(bytes);
  };

  const server = createServer({ noDelay: true }, (made) => {
    if (!isAccepting) {
      made.destroy();
      return;
    }
    socket = made;
    let rest = Buffer.alloc(0);
    made.on('error', () => {});
    made.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
        const end = 2 + rest.readUInt16BE();
        receive(rest.toString('latin1', 2, end), made);
        rest = rest.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    declineNext: (code) => {
      next = { decline: code };
    },
    withholdNext: () => {
      next = { withhold: true };
    },
    tellWrongAmountNext: () => {
      next = { wrongAmount: true };
    },
    release: () => {
      for (const bytes of kept.splice(0)) socket?.write(bytes);
    },
    setAccepting: (accepting) => {
      isAccepting = accepting;
      if (!accepting) socket?.destroy();
    },
    book() {
      const all = [...payments.values()];
      const sum = (list: readonly Payment[], pick: (each: Payment) => number) =>
        list.reduce((total, each) => total + pick(each), 0);
      const captured = all.filter(({ state }) => state === 'CAPTURED');
      return {
        heldMinor: sum(
          all.filter(({ state }) => state === 'HELD'),
          ({ heldMinor }) => heldMinor,
        ),
        capturedMinor: sum(
          captured.filter(({ isRefund }) => !isRefund),
          ({ capturedMinor }) => capturedMinor,
        ),
        refundedMinor: sum(
          captured.filter(({ isRefund }) => isRefund),
          ({ capturedMinor }) => capturedMinor,
        ),
        messages: answers.size,
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        socket?.destroy();
      }),
  };
}
