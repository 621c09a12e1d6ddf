/** A point of sale as an integrator would write one: plain fetch. */
export interface Pos {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PosAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<PosAnswer>;
}

export interface PosAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests read answers as any integrator would: by field name.
  readonly body: Record<string, unknown>;
}

export function createPos(posUrl: string, key: string): Pos {
  const call = async (path: string, init: RequestInit): Promise<PosAnswer> => {
    const response = await fetch(new URL(path, posUrl), init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  return {
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => call(path, { headers: { 'x-api-key': key, ...headers } }),
  };
}
