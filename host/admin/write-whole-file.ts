import { open, rename, rm } from 'node:fs/promises';
import { UsageError } from '../program/options.ts';

/**
 * Writes a file for its owner only. Under its name it is whole or not there: a ledger that was cut off could not be told from a smaller one.
 * @throws UsageError when the place cannot be written to; what `pieces` throws
 */
export async function writeWholeFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      for await (const piece of pieces) await file.write(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof Error && 'syscall' in error) {
      throw new UsageError(`${path} cannot be written: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
