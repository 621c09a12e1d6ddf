// 06 D1 and 06 D3: receipts, from the terminal to the till or the other way round.
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import { encodeBmp, parseBmps, TLV_CONTAINER_BMP } from './bmp.ts';
import { DEFAULT_CHARSET, decodeText, encodeText, type ZvtCharset } from './charset.ts';
import { charsetFor, encodeContainer } from './fields.ts';
import type { PrintLine, PrintStyle, TextBlock, TextBlockLine } from './message-types.ts';
import { decodeTlv, encodeTlv, readBerLength, type TlvNode } from './tlv.ts';
import { charsetInTlv, packTlvFields, readTlvFields } from './tlv-fields.ts';

export const PRINT_LINE = 0x06d1;
export const TEXT_BLOCK = 0x06d3;

const LINE_FEEDS = 0xff;
const RESERVED_ATTRIBUTE = 0x80;
const LAST_LINE_BIT = 0x80;
/** The last-line attribute terminals use. */
const LAST_LINE_ATTRIBUTE = 0x81;
const TEXTS_TAG = 0x25;
const LINE_TAG = 0x07;
const ATTRIBUTE_TAG = 0x09;

/** 1xxxxxxx marks the last line of a receipt; 80 is reserved and FF means line feeds. */
function isLastLineAttribute(attribute: number): boolean {
  return (attribute & LAST_LINE_BIT) !== 0 && attribute !== RESERVED_ATTRIBUTE && attribute !== LINE_FEEDS;
}

/** How text with this attribute looks. */
export function printStyle(attribute: number): PrintStyle {
  const isText = (attribute & LAST_LINE_BIT) === 0;
  const isCentred = isText && (attribute & 0x40) !== 0;
  return {
    isCentred,
    isDoubleWidth: isText && (attribute & 0x20) !== 0,
    isDoubleHeight: isText && (attribute & 0x10) !== 0,
    indent: isText && !isCentred ? attribute & 0x0f : 0,
  };
}

/**
 * Which character set a print line is in. card complete terminals append a TLV container to the text and print ISO 8859-1
 * without naming it, although CP437 is the default; every other unnamed line is CP437.
 */
function charsetOfLine(own: ZvtCharset | undefined, agreed: ZvtCharset | undefined, hasContainer: boolean): ZvtCharset {
  return own ?? agreed ?? (hasContainer ? 'iso-8859-1' : DEFAULT_CHARSET);
}

/** Decodes 06 D1. */
export function decodePrintLine(data: Uint8Array, agreed: ZvtCharset | undefined): PrintLine {
  const [attribute] = data;
  if (attribute === undefined) return { type: 'print-line', text: '', isLastLine: false };
  if (attribute === LINE_FEEDS) {
    return { type: 'print-line', attribute, text: '', lineFeeds: data[1] ?? 1, isLastLine: false };
  }
  const { text, nodes } = splitText(data.subarray(1));
  const tlv = readTlvFields(nodes ?? [], DEFAULT_CHARSET);
  const charset = charsetOfLine(tlv.charset, agreed, nodes !== undefined);
  return {
    type: 'print-line',
    attribute,
    text: decodeText(text, charset),
    isLastLine: isLastLineAttribute(attribute),
    ...(tlv.receiptType === undefined ? {} : { receiptType: tlv.receiptType }),
    ...(tlv.charset === undefined ? {} : { charset: tlv.charset }),
    ...(nodes === undefined ? {} : { tlv: new Secret(nodes) }),
  };
}

/** The text ends where a 06 begins a container that fills the rest exactly. */
function splitText(bytes: Uint8Array): { readonly text: Uint8Array; readonly nodes?: readonly TlvNode[] } {
  for (let start = bytes.indexOf(TLV_CONTAINER_BMP); start >= 0; start = bytes.indexOf(TLV_CONTAINER_BMP, start + 1)) {
    const length = readBerLength(bytes, start + 1);
    if (!length.ok || length.nextOffset + length.length !== bytes.length) continue;
    const result = decodeTlv(bytes.subarray(length.nextOffset));
    if (result.ok && result.nodes.length > 0) return { text: bytes.subarray(0, start), nodes: result.nodes };
  }
  return { text: bytes };
}

/** Encodes 06 D1. */
export function encodePrintLine(line: PrintLine, agreed: ZvtCharset | undefined): Uint8Array {
  if (line.lineFeeds !== undefined) return encodeApdu(PRINT_LINE, Uint8Array.of(LINE_FEEDS, line.lineFeeds & 0xff));
  const container = encodeContainer(line);
  const own = line.tlv === undefined ? line.charset : charsetInTlv(line.tlv.reveal());
  const text = encodeText(line.text, charsetOfLine(own, agreed, container.length > 0));
  if (line.attribute === undefined && text.length === 0 && container.length === 0 && !line.isLastLine) {
    return encodeApdu(PRINT_LINE, text);
  }
  const attribute = line.attribute ?? (line.isLastLine ? LAST_LINE_ATTRIBUTE : 0);
  return encodeApdu(PRINT_LINE, concatBytes(Uint8Array.of(attribute), text, container));
}

/** Decodes 06 D3; undefined when it holds no sound TLV container. */
export function decodeTextBlock(data: Uint8Array, agreed: ZvtCharset | undefined): TextBlock | undefined {
  const { fields, end } = parseBmps(data);
  const container = fields.find(({ bmp }) => bmp === TLV_CONTAINER_BMP);
  const result = container === undefined ? undefined : decodeTlv(container.value);
  if (end.kind !== 'complete' || result === undefined || !result.ok) return undefined;
  const tlv = readTlvFields(result.nodes, DEFAULT_CHARSET);
  const charset = tlv.charset ?? agreed ?? DEFAULT_CHARSET;
  return {
    type: 'text-block',
    ...readLines(result.nodes, charset),
    ...(tlv.receiptType === undefined ? {} : { receiptType: tlv.receiptType }),
    ...(tlv.charset === undefined ? {} : { charset: tlv.charset }),
    tlv: new Secret(result.nodes),
  };
}

/** An attribute applies to the lines after it, until the next one. */
function readLines(nodes: readonly TlvNode[], charset: ZvtCharset): Pick<TextBlock, 'lines' | 'isLastLine'> {
  const lines: TextBlockLine[] = [];
  let attribute = 0;
  let isLastLine = false;
  for (const container of nodes) {
    if (container.tag !== TEXTS_TAG || !('children' in container)) continue;
    for (const node of container.children) {
      if (!('value' in node)) continue;
      if (node.tag === ATTRIBUTE_TAG) attribute = node.value[0] ?? 0;
      if (node.tag === ATTRIBUTE_TAG && isLastLineAttribute(attribute)) isLastLine = true;
      if (node.tag === LINE_TAG) lines.push({ attribute, text: decodeText(node.value, charset) });
    }
  }
  return { lines, isLastLine };
}

/** Encodes 06 D3: an attribute is written where it changes, the last-line mark at the end. */
export function encodeTextBlock(block: TextBlock, agreed: ZvtCharset | undefined): Uint8Array {
  const nodes = block.tlv?.reveal() ?? buildBlock(block, charsetFor(block, agreed));
  return encodeApdu(TEXT_BLOCK, encodeBmp({ bmp: TLV_CONTAINER_BMP, value: encodeTlv(nodes) }));
}

function buildBlock(block: TextBlock, charset: ZvtCharset): readonly TlvNode[] {
  const children: TlvNode[] = [];
  let current = 0;
  const setAttribute = (attribute: number) => {
    if (attribute !== current) children.push({ tag: ATTRIBUTE_TAG, value: Uint8Array.of(attribute) });
    current = attribute;
  };
  for (const line of block.lines) {
    setAttribute(line.attribute);
    children.push({ tag: LINE_TAG, value: encodeText(line.text, charset) });
  }
  if (block.isLastLine && !isLastLineAttribute(current)) setAttribute(LAST_LINE_ATTRIBUTE);
  return [...packTlvFields(pickHead(block), charset), { tag: TEXTS_TAG, children }];
}

function pickHead({ receiptType, charset }: TextBlock) {
  return {
    ...(receiptType === undefined ? {} : { receiptType }),
    ...(charset === undefined ? {} : { charset }),
  };
}
