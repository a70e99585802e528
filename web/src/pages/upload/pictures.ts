/** Recognizes pictures by their first bytes, whatever they are called. */

/** GIF, PNG, JPEG, BMP, and WebP in RIFF. Animated pictures have no sound and no index to seek in, and the server refuses them. */
const PICTURES = [/^GIF8/, /^\x89PNG/, /^\xff\xd8\xff/, /^BM.{4}\0{4}/s, /^RIFF.{4}WEBP/s];

export async function isPicture(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  return PICTURES.some((picture) => picture.test(head));
}
