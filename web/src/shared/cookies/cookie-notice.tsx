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
  /** A link to the cookie information. */
  children: ReactNode;
}

// If the consent form can't load, nobody has consented, so it is shown again on the next page.
const AdQuestion = optional(() => import('./ad-question'), Plain);

/**
 * Informs visitors about stored data and blocks nothing. The notice has a separate space below the footer, and sticks to the window's
 * bottom until that space is in view.
 */
export default function CookieNotice({ onClose }: { onClose: () => void }) {
  const site = useSiteText();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // This isn't an inherited property, because setting one on the page recomputes the style of every element.
    const { style } = document.documentElement;
    const take = (height: number) => {
      noticeHeight.write(height);
      style.scrollPaddingBottom = height > 0 ? `calc(${String(height)}px + var(--foot))` : '';
    };
    const watcher = new ResizeObserver(([entry]) => take(entry?.borderBoxSize[0]?.blockSize ?? 0));
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
      {/* The notice appears late, so it is small, to never become the page's largest contentful paint. */}
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

/** The notice when there is nothing to ask. */
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
