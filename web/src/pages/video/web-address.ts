/** An address that a link may lead to: what rows of the catalog hold may be anything. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}
