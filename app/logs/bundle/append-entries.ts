import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const endBytes = 22;
const endMark = 0x06054b50;
const recordMark = 0x02014b50;
const recordBytes = 46;
const maxEntries = 0xfffe;
const maxOffset = 0xffff_fffe;

interface End {
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryOffset: number;
}

/** Text entries by name. */
export type TextEntries = readonly { readonly name: string; readonly text: string }[];

/**
 * Adds entries to a finished archive, which is not written anew: the library that writes archives cannot, and what the archive says of itself (scan,
 * hashes) is known only when it is finished. Layout as in PKWARE's APPNOTE 4.3.
 * @throws Error for an archive of more than 4 GiB or 65,534 entries
 */
export async function appendEntries(path: string, entries: TextEntries): Promise<void> {
  const added = new ZipFile();
  for (const { name, text } of entries) added.addBuffer(Buffer.from(text), name);
  added.end();
  const more = await buffer(added.outputStream as Readable);
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const end = readEnd(await bytesAt(file, size - endBytes, endBytes));
    const moreEnd = readEnd(more.subarray(more.length - endBytes));
    const directory = await bytesAt(file, end.directoryOffset, end.directoryBytes);
    const moreDirectory = Buffer.from(more.subarray(moreEnd.directoryOffset, more.length - endBytes));
    shiftOffsets(moreDirectory, end.directoryOffset);
    const total: End = {
      entries: end.entries + moreEnd.entries,
      directoryBytes: directory.length + moreDirectory.length,
      directoryOffset: end.directoryOffset + moreEnd.directoryOffset,
    };
    const tail = [more.subarray(0, moreEnd.directoryOffset), directory, moreDirectory, endOf(total)];
    await file.write(Buffer.concat(tail), 0, undefined, end.directoryOffset);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes what an archive in the making gives to a new file, for its owner only. */
export async function writeZip(zip: ZipFile, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    zip.on('error', reject);
    file.on('error', reject);
    file.on('close', resolve);
    zip.outputStream.pipe(file);
  });
}

async function bytesAt(file: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, position);
  return bytes;
}

function readEnd(bytes: Buffer): End {
  if (bytes.readUInt32LE(0) !== endMark) throw new Error('the archive does not end as it was written');
  const end = {
    entries: bytes.readUInt16LE(10),
    directoryBytes: bytes.readUInt32LE(12),
    directoryOffset: bytes.readUInt32LE(16),
  };
  if (end.entries > maxEntries || end.directoryOffset > maxOffset) throw new Error('the archive has become too large');
  return end;
}

function shiftOffsets(directory: Buffer, by: number): void {
  for (let at = 0; at < directory.length; ) {
    if (directory.readUInt32LE(at) !== recordMark) throw new Error('the table of contents is not as it was written');
    directory.writeUInt32LE(directory.readUInt32LE(at + 42) + by, at + 42);
    const variable =
      directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    at += recordBytes + variable;
  }
}

function endOf({ entries, directoryBytes, directoryOffset }: End): Buffer {
  const bytes = Buffer.alloc(endBytes);
  bytes.writeUInt32LE(endMark, 0);
  bytes.writeUInt16LE(entries, 8);
  bytes.writeUInt16LE(entries, 10);
  bytes.writeUInt32LE(directoryBytes, 12);
  bytes.writeUInt32LE(directoryOffset, 16);
  return bytes;
}
