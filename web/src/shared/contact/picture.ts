/** Checks whether a file is a valid picture. */
import { ApiError } from '@/lib/http';
import { limits } from '@/lib/limits';

const refused = (code: string, bound?: number) =>
  new ApiError(422, { code, field: 'file', info: { ...(bound !== undefined && { bound }) } });

/** Decodes the picture, because a file name proves nothing. Throws the same error as the server. */
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
