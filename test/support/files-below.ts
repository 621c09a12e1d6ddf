import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly content: Buffer;
}

/** Every file below a folder as it lies there. A running program may rename or remove one after it was listed: then the folder is listed again. */
export function filesBelow(folder: string): readonly FoundFile[] {
  for (;;) {
    const found = contentsOf(
      readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    if (found !== undefined) return found;
  }
}

/** undefined when one of them is no longer there. */
function contentsOf(paths: readonly string[]): readonly FoundFile[] | undefined {
  try {
    return paths.map((path) => ({ path, name: basename(path), content: readFileSync(path) }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
