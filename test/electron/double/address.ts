/**
 * A Chromium as it is sold takes no scheme of ours as a standard, secure origin. The double shows the page under this origin instead (reserved by
 * RFC 2606, never resolved) and gives everything that the shell sees the shell's own addresses back.
 */
const shown = 'https://console.invalid/';
const own = 'app://console/';

export function shownUrl(url: string): string {
  return url.startsWith(own) ? shown + url.slice(own.length) : url;
}

export function ownUrl(url: string): string {
  return url.replace(shown, own);
}
