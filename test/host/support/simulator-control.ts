import type { BookSummary } from '../../../host/simulator/standing.ts';

interface NextRule {
  readonly rule: string;
  readonly times?: number;
  readonly skip?: number;
  readonly types?: readonly string[];
}

export interface SimulatorControl {
  send(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  next(rule: NextRule): Promise<void>;
  fault(fault: 'drop' | 'refuse' | 'accept'): Promise<void>;
  book(): Promise<BookSummary>;
}

/** The control interface of an acquirer simulator. */
export function simulatorControl(url: string): SimulatorControl {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
        : {}),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const post = async (path: string, body: unknown) => {
    const { status, body: answer } = await send('POST', path, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  return {
    send,
    next: (rule) => post('/next', rule),
    fault: (fault) => post('/fault', { fault }),
    book: async () => (await send('GET', '/book')).body as BookSummary,
  };
}
