import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { useSiteText } from '@/i18n/site';
import { optional } from '@/lib/deferred';
import { noticeHeight } from '@/lib/notice-height';
import { Button } from '@/ui/button';
import { asksForAds, dismissNotice } from './dismissal';

interface Props {
  onClose: () => void;
  /** The link to what is said of cookies. */
  children: ReactNode;
}

// Without the question nobody agreed: it is asked again on the next page.
const AdQuestion = optional(() => import('./ad-question'), Plain);

/** Says what is kept; blocks nothing. It has its own room below the footer, and stands at the window's foot until that is in sight. */
export default function CookieNotice({ onClose }: { onClose: () => void }) {
  const site = useSiteText();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // No property that all of the page inherits: each element's style would be computed anew for it.
    const { style } = document.documentElement;
    const take = (height: number) => {
      noticeHeight.write(height);
      style.scrollPaddingBottom = height > 0 ? `calc(${String(height)}px + var(--foot))` : '';
    };
    const watcher = new ResizeObserver(([entry]) => {
      take(entry?.borderBoxSize[0]?.blockSize ?? 0);
    });
    if (bar.current) watcher.observe(bar.current);
    return () => {
      watcher.disconnect();
      take(0);
    };
  }, []);
  const policy = (
    <Link
      href="/information/cookies_policy/"
      className="touch inline-block text-accent hover:underline"
    >
      {site('cookies_policy')}
    </Link>
  );
  return createPortal(
    <section
      ref={bar}
      aria-label={site('cookies_policy')}
      className="sticky bottom-(--foot) z-20 border-t border-line bg-surface"
    >
      {/* Small, so that it is never the largest thing of a page that it comes late to. */}
      <div className="page flex items-center gap-x-4 py-1 text-xs sm:justify-center">
        {asksForAds() ? (
          <AdQuestion onClose={onClose}>{policy}</AdQuestion>
        ) : (
          <Plain onClose={onClose}>{policy}</Plain>
        )}
      </div>
    </section>,
    document.body,
  );
}

/** The notice where there is nothing to ask. */
function Plain({ onClose, children }: Props) {
  const site = useSiteText();
  return (
    <>
      <p className="min-w-0">
        {site('cookiesText')} {children}
      </p>
      <Button
        look="plain"
        className="ms-auto min-h-11 shrink-0 text-xs sm:ms-0"
        onClick={() => {
          dismissNotice();
          onClose();
        }}
      >
        {site('cookiesOk')}
      </Button>
    </>
  );
}
