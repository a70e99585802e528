/** Whether a file is a picture that can be sent (SPEC section 5). */
import { ApiFailure } from '@/lib/post';

/** `reports.max_file` of the server, in bytes. */
export const LARGEST = 5 * 1024 * 1024;

const refused = (code: string, info = {}) => new ApiFailure(422, { code, field: 'file', info });

/** Decodes it, because a name proves nothing. Throws what the server would say. */
export async function checkPicture(file: File): Promise<void> {
  if (file.size > LARGEST) throw refused('file_too_large', { max: LARGEST });
  if (!file.type.startsWith('image/')) throw refused('file_invalid_type');
  try {
    const bitmap = await createImageBitmap(file);
    bitmap.close();
  } catch {
    throw refused('file_invalid_type');
  }
}
