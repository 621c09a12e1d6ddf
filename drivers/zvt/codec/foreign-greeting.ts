// Devices that answer on the port but do not speak ZVT, recognised so that the operator reads what is wrong.

export type ForeignGreeting =
  /** 15 03 LRC: a terminal set to the Italian ECR17 protocol refuses what it does not understand */
  | { readonly kind: 'ecr17-nak'; readonly lrc: number }
  /** four length bytes, high one first, then text: a maintenance port */
  | { readonly kind: 'length-prefixed-text'; readonly bannerLength: number; readonly text: string };

const ECR17_NAK = 0x15;
const ECR17_ETX = 0x03;
const LENGTH_BYTES = 4;
/** Longest greeting looked at. */
const MAX_BANNER_BYTES = 1024;

/** Recognises what a device that speaks another protocol sent first; undefined when it is nothing known. */
export function recogniseForeignGreeting(bytes: Uint8Array): ForeignGreeting | undefined {
  const [first, second, third] = bytes;
  if (first === ECR17_NAK && second === ECR17_ETX && third !== undefined && bytes.length === 3) {
    return { kind: 'ecr17-nak', lrc: third };
  }
  if (bytes.length <= LENGTH_BYTES || bytes.length > LENGTH_BYTES + MAX_BANNER_BYTES) return undefined;
  const bannerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const text = bytes.subarray(LENGTH_BYTES);
  if (bannerLength !== text.length || !text.every(isPrintable)) return undefined;
  return { kind: 'length-prefixed-text', bannerLength, text: String.fromCharCode(...text) };
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}
