import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { useNear } from '@/lib/use-near';

interface Props {
  heading: ReactNode;
  /** A link to the whole list. */
  more: ReactNode;
  labelledBy: string;
  /** A placeholder of the same size, shown until the block comes near. */
  skeleton: ReactNode;
  /** Whether to load at once. This is set for the first block, which is visible at once. */
  eager?: boolean;
  children: ReactNode;
}

/** A block of the home page that loads its content only when scrolled near. */
export function LazyBlock({ heading, more, labelledBy, skeleton, eager = false, children }: Props) {
  const [root, near] = useNear(eager);
  return (
    <section
      ref={root}
      aria-labelledby={labelledBy}
      className="pt-8 first-of-type:pt-5 lg:pt-10 lg:first-of-type:pt-6"
    >
      <div className="flex min-h-10 items-center justify-between gap-x-4 pb-3">
        {heading}
        {more}
      </div>
      {/* Off-screen blocks have no animation, which would use CPU for as long as the page is open. */}
      <div className={cn(!near && '[&_.skeletons]:animate-none')}>{near ? children : skeleton}</div>
    </section>
  );
}
