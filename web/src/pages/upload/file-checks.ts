/** Checks a file before upload. This module is pure. */
import type { Schema } from '@/api/call';

export type Limits = Schema<'UploadLimits'>;

/** For the file dialog. Phones know media types better than extensions. */
export const accepted = ({ formats }: Pick<Limits, 'formats'>): string =>
  ['video/*', ...formats.map((format) => `.${format}`)].join();

/** Why a file can't be sent. */
export type Refusal = 'format' | 'empty' | 'size';
/** Why the video in the file would be rejected. */
export type Doubt = 'picture' | 'sound' | 'cutOff' | 'short' | 'long';

/** What the browser found in a file. */
export interface Facts {
  /** What it contains, or null if the browser can't tell. `cutOff` is a file that ends too early. */
  content: 'video' | 'sound' | 'picture' | 'cutOff' | null;
  /** The video's duration, if known. */
  seconds: number | null;
}

/** The facts about a file that the browser can't read. Then only the server can check it. */
export const UNKNOWN: Facts = { content: null, seconds: null };

export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { formats, max_bytes }: Pick<Limits, 'formats' | 'max_bytes'>,
): Refusal | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (!formats.some((format) => format === ending)) return 'format';
  if (size === 0) return 'empty';
  return size > max_bytes ? 'size' : null;
}

export function doubtOf(
  { content, seconds }: Facts,
  isExclusive: boolean,
  limits: Pick<Limits, 'exclusive_seconds' | 'other_seconds' | 'max_seconds'>,
): Doubt | null {
  if (content !== 'video' && content !== null) return content;
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

/** Whether no details can help: a file without a video is never published. */
export const isHopeless = (doubt: Doubt | null): boolean =>
  doubt === 'picture' || doubt === 'sound';
