// A BMP list with its TLV container, as one set of typed fields.
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeBmp, parseBmps, TLV_CONTAINER_BMP } from './bmp.ts';
import { bmpName, type FieldKey, packBmpFields, readBmpFields } from './bmp-fields.ts';
import { DEFAULT_CHARSET, type ZvtCharset } from './charset.ts';
import type { BmpField, FieldProblem, ZvtFields } from './message-types.ts';
import { decodeTlv, encodeTlv, type TlvNode } from './tlv.ts';
import { charsetInTlv, packTlvFields, readTlvFields } from './tlv-fields.ts';

export type FieldsResult =
  | { readonly ok: true; readonly fields: ZvtFields }
  /** a BMP that contradicts the length of the list, as two hexadecimal digits */
  | { readonly ok: false; readonly field: string };

/** Decodes a BMP list. An unknown BMP ends the reading and is reported; a broken one makes the whole list unusable. */
export function decodeFields(bytes: Uint8Array, agreedCharset: ZvtCharset | undefined): FieldsResult {
  const list = parseBmps(bytes);
  if (list.end.kind === 'malformed') return { ok: false, field: bmpName(list.end.bmp) };
  const container = readContainer(list.fields);
  const nodes = container.nodes ?? [];
  const charset = charsetInTlv(nodes) ?? agreedCharset ?? DEFAULT_CHARSET;
  const bmps = readBmpFields(
    list.fields.filter(({ bmp }) => bmp !== TLV_CONTAINER_BMP),
    charset,
  );
  const problems = [...bmps.problems, ...container.problems];
  return {
    ok: true,
    fields: {
      ...bmps.fields,
      ...readTlvFields(nodes, charset),
      ...(container.nodes === undefined ? {} : { tlv: new Secret(container.nodes) }),
      ...(bmps.others.length === 0 ? {} : { otherBmps: new Secret(bmps.others) }),
      ...(list.end.kind === 'unknown-bmp' ? { unparsed: { bmp: list.end.bmp, rest: new Secret(list.end.rest) } } : {}),
      ...(problems.length === 0 ? {} : { problems }),
    },
  };
}

function readContainer(bmps: readonly BmpField[]): {
  readonly nodes?: readonly TlvNode[];
  readonly problems: readonly FieldProblem[];
} {
  const containers = bmps.filter(({ bmp }) => bmp === TLV_CONTAINER_BMP);
  if (containers.length === 0) return { problems: [] };
  const result = decodeTlv(concatBytes(...containers.map(({ value }) => value)));
  if (result.ok) return { nodes: result.nodes, problems: [] };
  return { problems: [{ field: bmpName(result.tag ?? TLV_CONTAINER_BMP), reason: 'bad-tlv' }] };
}

export interface EncodeFieldsOptions {
  /** these BMPs first, in this order; the others follow by number */
  readonly first?: readonly FieldKey[];
  /** agreed at registration */
  readonly charset?: ZvtCharset | undefined;
  /** write the container even when it is empty */
  readonly hasEmptyContainer?: boolean;
}

/** Encodes a BMP list: typed fields, other BMPs, the TLV container, and last what an unknown BMP left unread. */
export function encodeFields(fields: ZvtFields, options: EncodeFieldsOptions = {}): Uint8Array {
  const charset = charsetFor(fields, options.charset);
  const bmps = [...packBmpFields(fields, options.first ?? [], charset), ...(fields.otherBmps?.reveal() ?? [])];
  return concatBytes(
    ...bmps.map(encodeBmp),
    encodeContainer(fields, options),
    fields.unparsed?.rest.reveal() ?? new Uint8Array(0),
  );
}

/** The TLV container with its BMP 06: the given one, else one built from the typed fields, else nothing. */
export function encodeContainer(fields: ZvtFields, options: EncodeFieldsOptions = {}): Uint8Array {
  const given = fields.tlv?.reveal();
  const nodes = given ?? packTlvFields(fields, charsetFor(fields, options.charset));
  if (given === undefined && nodes.length === 0 && options.hasEmptyContainer !== true) return new Uint8Array(0);
  return encodeBmp({ bmp: TLV_CONTAINER_BMP, value: encodeTlv(nodes) });
}

/** Which character set the texts of a message are in: its own tag 14, else the agreed one, else CP437. */
export function charsetFor(fields: Pick<ZvtFields, 'tlv' | 'charset'>, agreed: ZvtCharset | undefined): ZvtCharset {
  const own = fields.tlv === undefined ? fields.charset : charsetInTlv(fields.tlv.reveal());
  return own ?? agreed ?? DEFAULT_CHARSET;
}
