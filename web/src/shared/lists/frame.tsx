/** The frame that all lists share: heading, rail or sheet, chips, results and pages. */
import { useRef, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { cn } from '@/lib/cn';
import { useMedia, WIDE } from '@/lib/use-media';
import { useAboveNotice } from '@/lib/notice-height';
import { RESULTS } from '@/lib/scroll';
import { useOpen } from '@/lib/use-open';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { ListHead } from './list-head';
import { Rail } from './rail';
import { Chips, type ChipItem } from '@/shared/filters/chips';

const Sheet = deferred(() => import('@/ui/sheet'));

interface Props {
  heading: ReactNode;
  /** The number of results, shown below the heading. */
  summary: string | null;
  sort: ReactNode;
  filters: ReactNode;
  chips: ChipItem[];
  onClear: () => void;
  /** The label of the sheet's button, which gives the number of results behind it. */
  show: string;
  busy: boolean;
  children: ReactNode;
}

export function ListFrame(props: Props) {
  const { heading, summary, sort, filters, chips, onClear, show, busy, children } = props;
  const t = useT();
  const wide = useMedia(WIDE);
  return (
    <div className="page pt-6 lg:pt-8">
      {wide && (
        <a
          href={`#${RESULTS}`}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(RESULTS)?.focus();
          }}
          className="sr-only rounded-control bg-accent text-sm font-semibold text-on-accent focus:not-sr-only focus:absolute focus:z-20 focus:px-4 focus:py-2"
        >
          {t('filter.skip')}
        </a>
      )}
      <ListHead {...{ heading, summary, sort }} />
      <div className="grid gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)] xl:gap-8">
        {wide && <Rail label={t('filter.title')}>{filters}</Rail>}
        <section aria-labelledby={RESULTS} aria-busy={busy} className="min-w-0 scroll-mt-20">
          <h2 id={RESULTS} tabIndex={-1} className="sr-only">
            {t('filter.results')}
          </h2>
          <div className={cn(chips.length > 0 && 'pb-5')}>
            <Chips items={chips} onClear={onClear} />
          </div>
          {children}
        </section>
      </div>
      {!wide && (
        <FilterSheet show={show} count={chips.length} onClear={onClear}>
          {filters}
        </FilterSheet>
      )}
    </div>
  );
}

interface SheetProps {
  show: string;
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** A bottom sheet and a button within reach of the thumb, which replace the rail below its breakpoint. */
function FilterSheet({ show, count, onClear, children }: SheetProps) {
  const t = useT();
  const { isOpen, open, close } = useOpen();
  const bottom = useAboveNotice(16);
  const next = useRef<HTMLElement>(null);
  return (
    <>
      <Button
        look="primary"
        aria-haspopup="dialog"
        onClick={() => {
          next.current = null;
          open();
        }}
        style={{ bottom }}
        className="fixed left-1/2 z-20 h-12 -translate-x-1/2 rounded-full px-5 shadow-pop"
      >
        <Icon name="filter" />
        {t('filter.title')}
        {count > 0 && (
          <span className="grid size-6 place-items-center rounded-full bg-on-accent text-xs text-accent">
            {count}
          </span>
        )}
      </Button>
      {isOpen && (
        <Sheet
          title={t('filter.title')}
          place="bottom"
          onClose={close}
          focusNext={next}
          footer={
            <div className="flex gap-3">
              <Button look="plain" disabled={count === 0} onClick={onClear}>
                {t('filter.clear')}
              </Button>
              <Button
                look="primary"
                className="flex-1"
                onClick={() => {
                  next.current = document.getElementById(RESULTS);
                  close();
                }}
              >
                {show}
              </Button>
            </div>
          }
        >
          {children}
        </Sheet>
      )}
    </>
  );
}
