/** Whether a file is a picture that can be sent. */
import { ApiError } from '@/lib/http';
import { sent } from '@/lib/sent';

/** As the server says; one that doesn't has the last word all the same. */
const LARGEST = sent().picture_bytes ?? Infinity;

const refused = (code: string, bound?: number) =>
  new ApiError(422, { code, field: 'file', info: { ...(bound !== undefined && { bound }) } });

/** Decodes it, because a name proves nothing. Throws what the server would say. */
export async function checkPicture(file: File): Promise<void> {
  if (file.size > LARGEST) throw refused('picture_too_large', Math.floor(LARGEST / 1_000_000));
  if (!file.type.startsWith('image/')) throw refused('file_invalid_type');
  try {
    const bitmap = await createImageBitmap(file);
    bitmap.close();
  } catch {
    throw refused('file_invalid_type');
  }
}
