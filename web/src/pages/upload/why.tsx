/** Explains why an upload has stopped, or what happens next. */
import { useErrorText, waitText, type ErrorFacts } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { clock } from '@/shared/actions/share-links';
import { bytesText } from '@/shared/files/figures';
import type { Limits } from './file-checks';
import type { Row } from './rows';
import { nextText } from './stage-text';

export const formatList = ({ formats }: Pick<Limits, 'formats'>): string =>
  formats.map((format) => format.toUpperCase()).join(', ');

/** Returns the error that this page found in a file. */
function useDoubt({ size, transfer }: Row, limits: Limits): string | null {
  const say = useUploadText();
  const { lang } = useVisitor();
  const length = clock(transfer?.facts.seconds ?? 0);
  switch (transfer?.doubt) {
    case 'format':
      return say('badFormat', { list: formatList(limits) });
    case 'empty':
      return say('empty');
    case 'size':
      return say('tooLarge', {
        size: bytesText(size, lang),
        max: bytesText(limits.max_bytes, lang),
      });
    case 'picture':
      return say('onlyPicture');
    case 'sound':
      return say('onlySound');
    case 'cutOff':
      return say('cutOff');
    case 'short':
      return say('tooShort', {
        length,
        other: waitText(limits.other_seconds, lang),
        exclusive: waitText(limits.exclusive_seconds, lang),
      });
    case 'long':
      return say('tooLong', { length, max: waitText(limits.max_seconds, lang) });
    default:
      return null;
  }
}

/** Returns why an upload ended, on the server or during the transfer. The code in brackets is for support requests. */
function failureOf({ stage, item, transfer }: Row): ErrorFacts | null {
  if (stage === 'failed' && !item?.is_kept) {
    const { error_code, token = '' } = item ?? {};
    return { code: error_code ?? 'video_upload_error', info: { code: token.slice(0, 8) } };
  }
  const reason = stage === 'rejected' ? item?.video?.reason : null;
  if (reason) return { code: `rejected_${reason}` };
  const failure = stage === 'broken' ? transfer?.failure : null;
  return failure ? { code: failure.code, info: { code: failure.status, ...failure.info } } : null;
}

export function Why({ row, limits }: { row: Row; limits: Limits }) {
  const say = useUploadText();
  const textOf = useErrorText();
  const { lang } = useVisitor();
  const doubt = useDoubt(row, limits);
  const failure = failureOf(row);
  const text = doubt ?? (failure ? textOf(failure) : nextText(row, say, lang));
  return text && <p className="text-sm text-pretty">{text}</p>;
}
