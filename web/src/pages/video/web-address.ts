/** Returns an address that is safe to link to, because catalog rows may contain anything. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}
