/** Checks a picture in the browser and makes a thumbnail of it. */
import { bytesDoubt, headDoubt, sizeDoubt, type Doubt, type Limits } from './picture-checks';
import { HEAD_BYTES, headOf, kindOf } from './picture-head';

/** The thumbnail's longer side in pixels, chosen so that it is sharp on a phone's tile. */
const THUMB = 400;

export interface Examination {
  doubt: Doubt | null;
  /** The thumbnail's object URL, which must be revoked. It is null if there is no thumbnail. */
  thumb: string | null;
  /** The displayed size, or null if it is unknown. */
  size: { width: number; height: number } | null;
}

/** Makes a thumbnail, so that hundreds of pictures can be shown without holding all their pixels. */
async function shrink(bitmap: ImageBitmap): Promise<string | null> {
  const scale = Math.min(1, THUMB / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/webp', 0.8),
  );
  return blob && URL.createObjectURL(blob);
}

export async function examine(file: File, limits: Limits): Promise<Examination> {
  const bytes = bytesDoubt(file.size, limits);
  if (bytes) return { doubt: bytes, thumb: null, size: null };
  let first: ArrayBuffer;
  try {
    first = await file.slice(0, HEAD_BYTES).arrayBuffer();
  } catch {
    // The file was moved or changed after it was chosen.
    return { doubt: 'broken', thumb: null, size: null };
  }
  const head = headOf(first);
  const doubt = kindOf(first) ? head && headDoubt(head, limits) : 'kind';
  // The type is unsupported, or the picture has more pixels than this device should decode.
  if (doubt === 'kind' || doubt === 'tooLarge') return { doubt, thumb: null, size: head };
  try {
    const bitmap = await createImageBitmap(file);
    const size = { width: bitmap.width, height: bitmap.height };
    const thumb = await shrink(bitmap);
    bitmap.close();
    return { doubt: doubt ?? sizeDoubt(size, limits), thumb, size };
  } catch {
    return { doubt: 'broken', thumb: null, size: head };
  }
}
