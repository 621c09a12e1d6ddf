/** Milliseconds for a program on this machine to answer. */
const callTimeoutMs = 3000;

/** One call of the control interface of a program on this machine. @throws Error in plain words when it refuses, or does not answer in time */
export async function callControl(
  controlUrl: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: unknown = {},
): Promise<unknown> {
  const response = await fetch(new URL(path, controlUrl), {
    method,
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  if (!response.ok) throw new Error(`${controlUrl} refused ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
