import { useEffect, useRef } from 'react';
import type { paths } from '../../../generated/openapi';
import { readStored, writeStored } from '@/lib/storage';
import { useAddress } from '@/lib/use-address';
import { resolve } from '@/shared/address/route';
import { campaignOf, isStep, siteOf } from './visit';

const KEY = 'lantern.campaign';
const isCampaign = (value: unknown): value is string => typeof value === 'string';

/**
 * Returns the campaign that sent the visitor. It is kept while the tab is open, because the address may have changed since the tab was
 * opened.
 */
function campaign(): string {
  const [opened] = performance.getEntriesByType('navigation');
  const named = campaignOf(opened?.name ?? location.href);
  if (named) writeStored(KEY, named, 'tab');
  return readStored(KEY, isCampaign, named, 'tab');
}

/** Reports each page view. Nothing waits for the report, which is sent after the previous page's requests. */
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
