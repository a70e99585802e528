/** The frame around login pages: a card in the middle of the full width. */
import type { ReactNode } from 'react';
import { heading, useTitle } from '@/lib/title';

export function PageFrame({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 px-4 py-10 sm:py-16">
      <h1 className={heading}>{title}</h1>
      {children}
    </div>
  );
}

/** Shows the result of an action on the previous page. */
export function Note({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <p
      role="status"
      className={
        good
          ? 'rounded-control bg-accent-soft px-4 py-3 text-sm text-ink'
          : 'rounded-control border border-danger px-4 py-3 text-sm text-danger'
      }
    >
      {children}
    </p>
  );
}
