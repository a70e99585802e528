/** Checks a file before upload. This module is pure. */
import type { Schema } from '@/api/call';

export type Limits = Schema<'UploadLimits'>;

/** For the file dialog. Phones know media types better than extensions. */
export const accepted = ({ formats }: Pick<Limits, 'formats'>): string =>
  ['video/*', ...formats.map((format) => `.${format}`)].join();

/** Why a file can't be sent. */
export type Refusal = 'format' | 'empty' | 'size';
/** Why the video in the file would be rejected. */
export type Doubt = 'short' | 'long';

export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { formats, max_bytes }: Pick<Limits, 'formats' | 'max_bytes'>,
): Refusal | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (!formats.some((format) => format === ending)) return 'format';
  if (size === 0) return 'empty';
  return size > max_bytes ? 'size' : null;
}

/** `seconds` is null if the browser can't read the file. Then only the server can check it. */
export function doubtOf(
  seconds: number | null,
  isExclusive: boolean,
  limits: Pick<Limits, 'exclusive_seconds' | 'other_seconds' | 'max_seconds'>,
): Doubt | null {
  if (seconds === null) return null;
  if (seconds > limits.max_seconds) return 'long';
  const least = isExclusive ? limits.exclusive_seconds : limits.other_seconds;
  return seconds < least ? 'short' : null;
}

/** Whether the file belongs to an upload, as far as the server knows. */
export const isSameFile = (
  file: Pick<File, 'name' | 'size'>,
  upload: { file_name: string; size_bytes: number },
): boolean => file.name === upload.file_name && file.size === upload.size_bytes;
