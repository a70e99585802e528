/** Generates pictures in the browser under test, so that no files need to be stored in the repository. */
import type { Page } from '@playwright/test';

/** Draws a PNG of this size for a file input. It has two colors, so that cropping is visible. */
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

/** Draws a square PNG of incompressible noise, three bytes per pixel. */
export async function noise(page: Page, side: number) {
  const picture = await page.evaluate((size) => {
    const canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = size;
    const draw = canvas.getContext('2d');
    const pixels = draw?.createImageData(size, size);
    if (!draw || !pixels) throw new Error('no canvas');
    // Generates its own random numbers, so that the picture is the same every time.
    let state = 1;
    for (let at = 0; at < pixels.data.length; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      pixels.data[at] = at % 4 === 3 ? 255 : state >>> 24;
    }
    draw.putImageData(pixels, 0, 0);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, side);
  return { name: 'noise.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') };
}
