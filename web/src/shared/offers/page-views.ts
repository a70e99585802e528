import { useEffect, useRef } from 'react';
import type { paths } from '../../../generated/openapi';
import { useAddress } from '@/lib/use-address';
import { resolve } from '@/shared/address/route';
import { campaignOf, isStep, siteOf } from './visit';

const KEY = 'lantern.campaign';

/** Who sent the visitor, for as long as the tab is open. The address may have changed since it was opened. */
function campaign(): string {
  const [opened] = performance.getEntriesByType('navigation');
  const named = campaignOf(opened?.name ?? location.href);
  try {
    if (named) sessionStorage.setItem(KEY, named);
    return sessionStorage.getItem(KEY) ?? named;
  } catch {
    return named; // storage is blocked: it counts for this page
  }
}

/** Tells the server of each page that is shown. Nobody waits for it, and it goes out after the page that was left. */
export default function PageViews(): null {
  const { pathname } = useAddress();
  const before = useRef<string | null>(null);
  const isPage = resolve(pathname, '').page !== 'redirect';
  useEffect(() => {
    if (!isPage) return;
    const form = new URLSearchParams({
      path: pathname,
      ref: before.current === null ? siteOf(document.referrer) : location.origin,
      campaign: campaign(),
      event: isStep(before.current, pathname) ? 'pagination' : 'view',
    });
    before.current = pathname;
    navigator.sendBeacon('/api/pageview.php' satisfies keyof paths, form);
  }, [pathname, isPage]);
  return null;
}
