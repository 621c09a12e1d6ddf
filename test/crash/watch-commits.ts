import { watch } from 'node:fs';
import { join } from 'node:path';

/** The journal's head file is written after each commit: it tells the moment between two commits from outside. @returns ends the watch */
export function watchCommits(dataDir: string, count: number, reached: () => void): () => void {
  return watchWrites(join(dataDir, 'journal.head'), count, reached);
}

/** The n-th change of a file from now on. @returns ends the watch */
export function watchWrites(path: string, count: number, reached: () => void): () => void {
  let seen = 0;
  const watcher = watch(path, () => {
    seen += 1;
    if (seen < count) return;
    watcher.close();
    reached();
  });
  watcher.unref();
  return () => watcher.close();
}
