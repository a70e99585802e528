/** Shows a file's upload progress. */
import { waitText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { Bar } from '@/shared/files/bar';
import { bytesText, percentOf, rateText } from '@/shared/files/figures';
import { secondsLeft } from './pace';
import type { Row } from './rows';

/** Shows the progress, rate and remaining time of a file that is being sent. */
export function TransferBar({ row }: { row: Row }) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const { name, size, sent, transfer } = row;
  const rate = transfer?.rate ?? null;
  const seconds = secondsLeft(rate, size - sent);
  return (
    <Bar
      label={name}
      percent={percentOf(sent, size)}
      figures={[
        say('ofSize', { sent: bytesText(sent, lang), size: bytesText(size, lang) }),
        ...(rate === null ? [] : [rateText(rate, lang)]),
        ...(seconds === null ? [] : [say('left', { time: waitText(seconds, lang) })]),
      ]}
    />
  );
}
