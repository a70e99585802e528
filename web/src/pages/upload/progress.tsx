/** How much of a file has come, or of the work on it is done. */
import { waitText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { bytesText, percentOf, percentText, rateText } from './figures';
import { secondsLeft } from './pace';
import type { Row } from './rows';

interface BarProps {
  label: string;
  percent: number;
  /** Beside the percent. */
  figures?: readonly string[];
}

export function Bar({ label, percent, figures = [] }: BarProps) {
  const { lang } = useVisitor();
  const shown = [percentText(percent, lang), ...figures].join(' · ');
  return (
    <div className="flex flex-col gap-1">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuetext={shown}
        className="h-2 overflow-hidden rounded-full border border-control bg-raised"
      >
        <div
          className="h-full bg-accent transition-[width] duration-300"
          style={{ width: `${String(percent)}%` }}
        />
      </div>
      <p aria-hidden="true" className="text-xs text-muted tabular-nums">
        {shown}
      </p>
    </div>
  );
}

/** Of a file on its way: how much, how fast, how long. */
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
