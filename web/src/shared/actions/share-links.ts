/** The texts the share dialog offers. Pure. */
const EMBED_WIDTH = 426;
const EMBED_HEIGHT = 265;

export const startLink = (link: string, seconds: number): string =>
  seconds >= 1 ? `${link}?start_time=${String(Math.floor(seconds))}` : link;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

export const embedCode = (url: string, title: string): string =>
  `<iframe src="${url}" width="${String(EMBED_WIDTH)}" height="${String(EMBED_HEIGHT)}" ` +
  `title="${escape(title)}" allow="fullscreen; picture-in-picture" loading="lazy" style="border:0"></iframe>`;

/** `62` → `1:02`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown
    .map((part, index) => (index ? String(part).padStart(2, '0') : String(part)))
    .join(':');
}
