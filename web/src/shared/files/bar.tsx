/** A progress bar. */
import { useVisitor } from '@/lib/visitor';
import { percentText } from './figures';

interface BarProps {
  label: string;
  percent: number;
  /** Values that are shown next to the percentage. */
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
