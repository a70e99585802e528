/** Checks a picture before upload. This module is pure. */
import type { Answer } from '@/api/call';
import type { Head } from './picture-head';

export type Limits = Answer<'/api/album_edit.php'>['limits'];

/** Why a picture can't be sent. */
export type Doubt =
  'empty' | 'bytes' | 'kind' | 'broken' | 'animated' | 'tooSmall' | 'tooLarge' | 'tooMany';

export function bytesDoubt(size: number, { max_bytes }: Pick<Limits, 'max_bytes'>): Doubt | null {
  if (size === 0) return 'empty';
  return size > max_bytes ? 'bytes' : null;
}

type Size = Pick<Head, 'width' | 'height'>;
type SizeLimits = Pick<Limits, 'min_width' | 'min_height' | 'max_side' | 'max_pixels'>;

/** Checks the displayed size. */
export function sizeDoubt({ width, height }: Size, limits: SizeLimits): Doubt | null {
  if (width < limits.min_width || height < limits.min_height) return 'tooSmall';
  const isLarge = Math.max(width, height) > limits.max_side || width * height > limits.max_pixels;
  return isLarge ? 'tooLarge' : null;
}

/** Checks the header. The rotation is unknown, so a size is refused only if it fails both ways. */
export function headDoubt(head: Head, limits: SizeLimits): Doubt | null {
  if (head.isAnimated) return 'animated';
  const turned = { width: head.height, height: head.width };
  return sizeDoubt(head, limits) && sizeDoubt(turned, limits);
}
