/** Texts that explain why a picture can't be sent. */
import { useErrorText } from '@/i18n/errors';
import { useAlbumText } from '@/i18n/album';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { bytesText } from '@/shared/files/figures';
import type { Limits } from './picture-checks';
import type { Picture } from './work';

/** Formats a number of pixels in megapixels, e.g. 25 million. */
export const pixelsText = (pixels: number, lang: string): string =>
  new Intl.NumberFormat(lang, { notation: 'compact', compactDisplay: 'long' }).format(pixels);

export function useWhy(limits: Limits): (picture: Picture) => string | null {
  const say = useAlbumText();
  const upload = useUploadText();
  const textOf = useErrorText();
  const { lang } = useVisitor();
  return ({ doubt, failure, file, size }) => {
    if (failure) return textOf(failure);
    const { width = 0, height = 0 } = size ?? {};
    switch (doubt) {
      case null:
        return null;
      case 'empty':
        return upload('empty');
      case 'bytes':
        return upload('tooLarge', {
          size: bytesText(file?.size ?? 0, lang),
          max: bytesText(limits.max_bytes, lang),
        });
      case 'kind':
        return say('badKind');
      case 'broken':
        return say('broken');
      case 'animated':
        return say('animated');
      case 'tooSmall':
        return say('tooSmall', {
          width,
          height,
          minWidth: limits.min_width,
          minHeight: limits.min_height,
        });
      case 'tooLarge':
        return say('tooManyPixels', {
          width,
          height,
          pixels: pixelsText(limits.max_pixels, lang),
          side: limits.max_side,
        });
      case 'tooMany':
        return say('tooMany', { count: limits.max_photos });
    }
  };
}
