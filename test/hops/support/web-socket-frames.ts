import type { Splitting } from './stream-hop.ts';

const TEXT_FRAME = 1;

/**
 * The frames of one direction of a WebSocket (RFC 6455 section 5.2); a text frame's label tells what it is about.
 * @param hasHead the answer to the upgrade comes first
 */
export function webSocketFrames(hasHead: boolean): Splitting {
  let isInHead = hasHead;
  return {
    lengthOf(bytes) {
      if (!isInHead) return frameOf(bytes)?.length;
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      isInHead = false;
      return end + 4;
    },
    labelOf(message) {
      const frame = frameOf(message);
      return frame?.opcode === TEXT_FRAME && message.length === frame.length ? `frame ${subjectOf(frame.text)}` : '';
    },
  };
}

function frameOf(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const isMasked = ((bytes[1] ?? 0) & 0x80) !== 0;
  const short = (bytes[1] ?? 0) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const bodyAt = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < bodyAt) return undefined;
  const body = lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < bodyAt + body) return undefined;
  const mask = isMasked ? bytes.subarray(bodyAt - 4, bodyAt) : Buffer.alloc(4);
  const text = bytes.subarray(bodyAt, bodyAt + body).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: (bytes[0] ?? 0) & 0x0f, length: bodyAt + body, text: Buffer.from(text).toString() };
}

function subjectOf(text: string): string {
  const { event, subject, path } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return [event, subject, path === undefined ? undefined : withoutIds(String(path))]
    .filter((each) => each !== undefined)
    .join(' ');
}

/** The same for every call of an endpoint. */
export const withoutIds = (path: string) => path.replaceAll(/\/[^/]*\d[^/]{6,}/g, '/{id}');
