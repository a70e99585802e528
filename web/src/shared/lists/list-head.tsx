/** The head of every list. The title, the number of results and the sort menu are always in the same places. */
import type { ReactNode } from 'react';

interface Props {
  heading: ReactNode;
  /** The number of results. */
  summary: string | null;
  sort?: ReactNode;
}

export function ListHead({ heading, summary, sort }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 pb-5">
      <div className="col-span-2 sm:col-span-1">{heading}</div>
      <p role="status" className="col-start-1 min-h-5 text-sm leading-5 text-muted">
        {summary}
      </p>
      <div className="col-start-2 sm:row-span-2 sm:row-start-1 sm:self-end">{sort}</div>
    </div>
  );
}
