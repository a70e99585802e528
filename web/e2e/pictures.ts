/** Pictures drawn in the browser under test: real files that nobody has to keep. */
import type { Page } from '@playwright/test';

/** A PNG of this size as a file input takes it: two colours, so that one can see how it was cut. */
export async function drawn(page: Page, width: number, height: number) {
  const picture = await page.evaluate(
    ([wide, high]) => {
      const canvas = document.createElement('canvas');
      canvas.width = wide;
      canvas.height = high;
      const draw = canvas.getContext('2d');
      if (draw) {
        draw.fillStyle = '#c60';
        draw.fillRect(0, 0, wide, high);
        draw.fillStyle = '#036';
        draw.fillRect(wide / 4, high / 4, wide / 2, high / 2);
      }
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    [width, height] as const,
  );
  return { name: 'drawn.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') };
}
