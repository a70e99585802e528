import { cn } from '@/lib/cn';
import type { Bounds } from '@/search/model-listing';
import type { Spread } from '@/search/response';
import { barsOf } from './bars';

interface Props {
  spread: Spread;
  bounds: Bounds;
  chosen: [low: number, high: number];
}

/** Shows how values are distributed over a range. It is decorative, because the thumbs below it have accessible names. */
export function Histogram({ spread, bounds, chosen: [low, high] }: Props) {
  const bars = barsOf(spread, bounds);
  const most = Math.max(1, ...bars.map(({ total }) => total));
  return (
    <div aria-hidden="true" className="mx-2.5 flex h-10 items-end gap-px">
      {bars.map(({ from, to, total }) => (
        <span
          key={from}
          style={{ height: `${String((100 * total) / most)}%` }}
          className={cn(
            'min-w-0 flex-1 rounded-t-xs',
            total > 0 && 'min-h-0.5',
            to >= low && from <= high ? 'bg-accent' : 'bg-hover',
          )}
        />
      ))}
    </div>
  );
}
