import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { useSiteText } from '@/i18n/site';
import { deferred } from '@/lib/deferred';
import { Button } from '@/ui/button';
import { asksForAds, dismissNotice } from './dismissal';

const AdQuestion = deferred(() => import('./ad-question'));

/** The style sheet keeps this much free below what floats at the window's foot. */
const HEIGHT = '--notice';

/** Says what is kept; blocks nothing. It has its own room below the footer, and stands at the window's foot until that is in sight. */
export default function CookieNotice({ onClose }: { onClose: () => void }) {
  const site = useSiteText();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const watcher = new ResizeObserver(([entry]) => {
      style.setProperty(HEIGHT, `${String(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`);
    });
    if (bar.current) watcher.observe(bar.current);
    return () => {
      watcher.disconnect();
      style.removeProperty(HEIGHT);
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
          <>
            <p className="min-w-0">
              {site('cookiesText')} {policy}
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
        )}
      </div>
    </section>,
    document.body,
  );
}
