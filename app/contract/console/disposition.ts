/** Saved, never shown: RFC 6266, with the plain name for whatever does not read the encoded one. */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
