import iconv from 'iconv-lite';

/** Code pages that a printer with several has, the first one preferred. */
export const pageCandidates = ['cp437', 'cp858', 'windows1252', 'cp852', 'cp866', 'windows1253'] as const;
type Page = (typeof pageCandidates)[number];

/**
 * Chooses one code page for each line: the one of the line before as long as it has every character, otherwise the first that does. Only a line that
 * no single page can write is left to the encoder, which looks at each character by itself ('auto') and takes half a millisecond for it.
 */
export function createPageChoice(): (line: string) => Page | 'auto' {
  let last: Page = pageCandidates[0];
  return (line) => {
    const found = [last, ...pageCandidates].find((page) => hasAll(page, line));
    if (found !== undefined) last = found;
    return found ?? 'auto';
  };
}

function hasAll(page: Page, line: string): boolean {
  return iconv.decode(iconv.encode(line, page), page) === line;
}
