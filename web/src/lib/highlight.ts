export interface Part {
  text: string;
  marked: boolean;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&#x2F;': '/',
};
const unescape = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39|#x27|#x2F);/g, (entity) => ENTITIES[entity] ?? entity);

/** Splits escaped HTML, whose only tag is `<mark>`, into plain parts, so that nothing from the server is ever inserted as HTML. */
export function highlightParts(html: string): Part[] {
  return html
    .split(/(<mark>.*?<\/mark>)/s)
    .filter(Boolean)
    .map((piece) => {
      const match = /^<mark>(.*)<\/mark>$/s.exec(piece);
      return { text: unescape(match?.[1] ?? piece), marked: match !== null };
    });
}
