/** Whether a file is a picture that can be sent. */
import { ApiError } from '@/lib/http';
import { limits } from '@/lib/limits';

const refused = (code: string, bound?: number) =>
  new ApiError(422, { code, field: 'file', info: { ...(bound !== undefined && { bound }) } });

/** Decodes it, because a name proves nothing. Throws what the server would say. */
export async function checkPicture(file: File): Promise<void> {
  const { picture_bytes, picture_types } = limits();
  if (file.size > picture_bytes)
    throw refused('picture_too_large', Math.floor(picture_bytes / 1_000_000));
  if (!picture_types.includes(file.type)) throw refused('file_invalid_type');
  try {
    const bitmap = await createImageBitmap(file);
    bitmap.close();
  } catch {
    throw refused('file_invalid_type');
  }
}
