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

/** Colors of the quarters of a picture. */
export const QUARTERS = {
  topLeft: [200, 30, 30],
  topRight: [30, 180, 30],
  bottomLeft: [30, 30, 200],
  bottomRight: [200, 180, 30],
} as const;

/** Draws a PNG of this size whose quarters have these colors. */
export async function quartered(page: Page, width: number, height: number) {
  const picture = await page.evaluate(
    ([wide, high, colors]) => {
      const canvas = document.createElement('canvas');
      canvas.width = wide;
      canvas.height = high;
      const draw = canvas.getContext('2d');
      if (!draw) throw new Error('no canvas');
      for (const [at, color] of colors.entries()) {
        draw.fillStyle = `rgb(${color.join()})`;
        draw.fillRect((at % 2) * (wide / 2), Math.floor(at / 2) * (high / 2), wide / 2, high / 2);
      }
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    [width, height, Object.values(QUARTERS)] as const,
  );
  return {
    name: 'quartered.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture, 'base64'),
  };
}

/** Whether the corners and the center of a picture have this color, apart from losses of JPEG. */
export const isAll = (page: Page, src: string, color: readonly number[]) =>
  page.evaluate(
    async ([address, expected]) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      const { naturalWidth: width, naturalHeight: height } = picture;
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = height;
      const draw = canvas.getContext('2d');
      if (!draw) throw new Error('no canvas');
      draw.drawImage(picture, 0, 0);
      const places = [
        [2, 2],
        [width - 3, 2],
        [width / 2, height / 2],
        [2, height - 3],
        [width - 3, height - 3],
      ] as const;
      return places.every(([x, y]) => {
        const found = draw.getImageData(x, y, 1, 1).data;
        return expected.every((value, at) => Math.abs(value - (found[at] ?? 0)) < 12);
      });
    },
    [src, color] as const,
  );
