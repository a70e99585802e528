/** Scales screenshots down, so that the system's font smoothing is hardly visible. */
import type { Page } from '@playwright/test';

/** Step, out of 255, to which shades are rounded. This halves the files' size, and the eye sees no difference. */
const STEP = 8;

/** Averages each block of `by` times `by` pixels into one. It uses integers, so that every browser gives the same result. */
export async function shrink(desk: Page, png: Buffer, by: number): Promise<Buffer> {
  const small = await desk.evaluate(
    async ([picture, side, step]) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const large = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const [wide, high] = [Math.floor(large.width / side), Math.floor(large.height / side)];
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [large.width, large.height];
      const pen = canvas.getContext('2d', { willReadFrequently: true });
      if (!pen) throw new Error('no canvas');
      pen.drawImage(large, 0, 0);
      const from = pen.getImageData(0, 0, large.width, large.height).data;
      const to = new ImageData(wide, high);
      for (let at = 0; at < to.data.length; at += 1) {
        const [x, y] = [Math.floor(at / 4) % wide, Math.floor(at / 4 / wide)];
        let sum = 0;
        for (let row = y * side; row < (y + 1) * side; row += 1)
          for (let column = x * side; column < (x + 1) * side; column += 1)
            sum += from[(row * large.width + column) * 4 + (at % 4)] ?? 0;
        to.data[at] = at % 4 === 3 ? 255 : Math.floor(sum / (side * side) / step) * step;
      }
      [canvas.width, canvas.height] = [wide, high];
      pen.putImageData(to, 0, 0);
      return canvas.toDataURL('image/png').replace(/.*,/, '');
    },
    [png.toString('base64'), by, STEP] as const,
  );
  return Buffer.from(small, 'base64');
}
