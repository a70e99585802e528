// Regenerates the icons and the preview image for shared links from their SVGs. After changing one, run `node scripts/pictures.mjs`.
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const web = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, web), 'utf8');
/** The lantern without its rounded background. */
const lantern = read('public/assets/lantern.svg').replace(/<rect[^>]*>/, '');

/** The lantern on a full-bleed background. Each platform cuts out its own shape. */
const icon = (zoom) =>
  `<div style="display:grid;place-items:center;height:100vh;background:#14110d">${lantern.replace('<svg', `<svg width="${zoom}%"`)}</div>`;
const whole = (svg) => svg.replace('<svg', '<svg width="100%" height="100%"');

const PICTURES = [
  ['icon-192.png', 192, 192, whole(read('public/assets/lantern.svg'))],
  ['icon-512.png', 512, 512, whole(read('public/assets/lantern.svg'))],
  // Systems may cut off everything except the inner 80 %.
  ['maskable-icon.png', 512, 512, icon(86)],
  ['apple-touch-icon.png', 180, 180, icon(100)],
  ['share.jpg', 1200, 630, whole(read('art/share.svg'))],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [name, width, height, drawing] of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<body style="margin:0">${drawing}</body>`);
  const isPhoto = name.endsWith('.jpg');
  await page.screenshot({
    path: new URL(`public/assets/${name}`, web).pathname,
    ...(isPhoto ? { type: 'jpeg', quality: 85 } : { omitBackground: true }),
  });
  await page.close();
}
await browser.close();
