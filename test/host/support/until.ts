/** How long a state is waited for, on any machine. */
const WAIT_MS = 60_000;
const PAUSE_MS = 5;

/** Waits for a state, never for a time; fails when the state does not come. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never came: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
