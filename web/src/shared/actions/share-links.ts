/** Texts for the share dialog. This module is pure. */
const EMBED_WIDTH = 426;
const EMBED_HEIGHT = 265;

export const startLink = (link: string, seconds: number): string =>
  seconds >= 1 ? `${link}?start_time=${String(Math.floor(seconds))}` : link;

/** Returns links that share a page on social networks, with the title where this is supported. */
export function socialLinks(url: string, title: string): { name: string; href: string }[] {
  const places: [string, string, Record<string, string>][] = [
    ['X', 'https://x.com/intent/post', { url, text: title }],
    ['Reddit', 'https://www.reddit.com/submit', { url, title }],
    ['Telegram', 'https://t.me/share/url', { url, text: title }],
    ['WhatsApp', 'https://wa.me/', { text: `${title} ${url}` }],
  ];
  return places.map(([name, place, fields]) => ({
    name,
    href: `${place}?${new URLSearchParams(fields).toString()}`,
  }));
}

/** Returns a link that starts a mail. Spaces are encoded as %20, because mail programs don't decode a plus. */
export const mailLink = (url: string, title: string): string =>
  `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

export const embedCode = (url: string, title: string): string =>
  `<iframe src="${url}" width="${String(EMBED_WIDTH)}" height="${String(EMBED_HEIGHT)}" ` +
  `title="${escape(title)}" allow="fullscreen; picture-in-picture" loading="lazy" style="border:0"></iframe>`;

/** Formats seconds, e.g. `62` as `1:02`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown
    .map((part, index) => (index ? String(part).padStart(2, '0') : String(part)))
    .join(':');
}
