import type { Readable } from 'node:stream';
import { openZip } from './read-zip.ts';

/** Most bytes of a character in UTF-8. */
const bytesPerCharacter = 4;

/** The beginning of a text entry of an archive. @throws Error when the archive or the entry is not there */
export async function readEntryText(
  path: string,
  name: string,
  maxCharacters: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const zip = await openZip(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== name) continue;
      const stream: Readable = await zip.openReadStreamPromise(entry);
      return await beginningOf(stream, maxCharacters);
    }
    throw new Error(`the bundle has no entry ${name}`);
  } finally {
    zip.close();
  }
}

async function beginningOf(stream: Readable, maxCharacters: number) {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of stream as Readable & AsyncIterable<Buffer>) {
    chunks.push(chunk);
    byteCount += chunk.length;
    if (byteCount > maxCharacters * bytesPerCharacter) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { text: text.slice(0, maxCharacters), isCut: text.length > maxCharacters };
}
