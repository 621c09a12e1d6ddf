/** Milliseconds for a program on this machine to answer a person who waits. */
const callTimeoutMs = 3000;

interface ControlCall {
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/**
 * One call of the control interface of a program on this machine.
 * @throws Error in plain words when it refuses; what `fetch` throws when nobody listens there, or when it does not answer in time (`isTimeout`)
 */
export async function callControl(
  controlUrl: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body = {}, timeoutMs = callTimeoutMs }: ControlCall = {},
): Promise<unknown> {
  const response = await fetch(new URL(path, controlUrl), {
    method,
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${controlUrl} refused ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Whether a call has failed because no answer came, which says nothing of whether the program lives. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
