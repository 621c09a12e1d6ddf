/** How long the books may take until they agree, on any machine. */
export const SETTLE_MS = 240_000;
const LOOK_MS = 100;

/** @returns when it has come. @throws when it does not, however slow the machine is */
export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
