// BER-TLV as ZVT uses it (PA00P015, chapter TLV): tags of one or two bytes, lengths direct, 81 n or 82 nn nn.
import { concatBytes } from '../../framing/bytes.ts';

/** How deep containers may be nested; real messages need three levels. */
export const MAX_TLV_DEPTH = 8;

/** A tag with a value. `tag` is the number of the tag bytes, e.g. 0x1f10. */
interface TlvPrimitive {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** A tag that holds further tags (bit 20 of its first byte is set). */
interface TlvContainer {
  readonly tag: number;
  readonly children: readonly TlvNode[];
}

export type TlvNode = TlvPrimitive | TlvContainer;

export type TlvResult =
  | { readonly ok: true; readonly nodes: readonly TlvNode[] }
  /** `tag` is the innermost tag whose length does not fit; undefined when not even a tag could be read */
  | { readonly ok: false; readonly tag?: number; readonly reason: 'beyond-end' | 'bad-length' | 'too-deep' };

export type BerLength =
  | { readonly ok: true; readonly length: number; readonly nextOffset: number }
  | { readonly ok: false; readonly reason: 'beyond-end' | 'bad-length' };

/** Reads a BER length at `offset`: below 80 direct, 81 n, 82 nn nn. */
export function readBerLength(bytes: Uint8Array, offset: number): BerLength {
  const first = bytes[offset];
  if (first === undefined) return { ok: false, reason: 'beyond-end' };
  if (first < 0x80) return { ok: true, length: first, nextOffset: offset + 1 };
  const width = first === 0x81 ? 1 : first === 0x82 ? 2 : 0;
  if (width === 0) return { ok: false, reason: 'bad-length' };
  if (offset + 1 + width > bytes.length) return { ok: false, reason: 'beyond-end' };
  let length = 0;
  for (let index = 1; index <= width; index++) length = length * 256 + (bytes[offset + index] ?? 0);
  return { ok: true, length, nextOffset: offset + 1 + width };
}

/** The shortest BER form of a length (at most 65,535). */
export function berLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length < 0x100) return Uint8Array.of(0x81, length);
  if (length < 0x10000) return Uint8Array.of(0x82, length >> 8, length & 0xff);
  throw new RangeError(`TLV length ${length} does not fit in two bytes`);
}

/** Decodes the content of a container: a list of tags that must fill `bytes` exactly. */
export function decodeTlv(bytes: Uint8Array): TlvResult {
  return decodeNodes(bytes, 1);
}

function decodeNodes(bytes: Uint8Array, depth: number): TlvResult {
  if (depth > MAX_TLV_DEPTH) return { ok: false, reason: 'too-deep' };
  const nodes: TlvNode[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const first = bytes[offset] ?? 0;
    const isTwoByteTag = (first & 0x1f) === 0x1f;
    const second = bytes[offset + 1];
    if (isTwoByteTag && second === undefined) return { ok: false, reason: 'beyond-end' };
    const tag = isTwoByteTag ? first * 256 + (second ?? 0) : first;
    const length = readBerLength(bytes, offset + (isTwoByteTag ? 2 : 1));
    if (!length.ok) return { ok: false, tag, reason: length.reason };
    const end = length.nextOffset + length.length;
    if (end > bytes.length) return { ok: false, tag, reason: 'beyond-end' };
    const value = bytes.slice(length.nextOffset, end);
    if (isContainerTag(tag)) {
      const inner = decodeNodes(value, depth + 1);
      if (!inner.ok) return { tag, ...inner };
      nodes.push({ tag, children: inner.nodes });
    } else {
      nodes.push({ tag, value });
    }
    offset = end;
  }
  return { ok: true, nodes };
}

function isContainerTag(tag: number): boolean {
  return ((tag > 0xff ? tag >> 8 : tag) & 0x20) !== 0;
}

/** Encodes tags one after the other, every length in its shortest form. */
export function encodeTlv(nodes: readonly TlvNode[]): Uint8Array {
  return concatBytes(
    ...nodes.map((node) => {
      const value = 'children' in node ? encodeTlv(node.children) : node.value;
      const tag = node.tag > 0xff ? Uint8Array.of(node.tag >> 8, node.tag & 0xff) : Uint8Array.of(node.tag);
      return concatBytes(tag, berLength(value.length), value);
    }),
  );
}

/** The values of every tag found by following `path` through containers, in order. */
export function findAllTlv(nodes: readonly TlvNode[], ...path: readonly number[]): readonly Uint8Array[] {
  const [head, ...rest] = path;
  return nodes
    .filter((node) => node.tag === head)
    .flatMap((node) => {
      if ('children' in node) return rest.length === 0 ? [] : findAllTlv(node.children, ...rest);
      return rest.length === 0 ? [node.value] : [];
    });
}
