import { lazy } from 'react';
import { Link } from 'wouter';
import { requestContact } from '@/shared/contact/contact-request';
import { TOPICS, topicPath } from '@/shared/address/topics';
import { useSiteText } from '@/i18n/site';
import { orNothing } from '@/lib/deferred';
import { KeysToggle } from '@/shared/keys/keys-toggle';
import { asksForAds } from '@/shared/cookies/dismissal';

const CookieChoices = lazy(orNothing(() => import('@/shared/cookies/cookie-choices')));

/** The footer's second row. */
export function FootLinks() {
  const site = useSiteText();
  const look = 'hover:text-ink hover:underline';
  return (
    <ul aria-label={site('all')} className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
      {TOPICS.map((topic) => (
        <li key={topic}>
          <Link href={topicPath(topic)} className={look}>
            {site(topic)}
          </Link>
        </li>
      ))}
      <li>
        <Link href="/sitemap-page/" className={look}>
          {site('sitemap')}
        </Link>
      </li>
      <li>
        <button type="button" aria-haspopup="dialog" className={look} onClick={requestContact}>
          {site('contact')}
        </button>
      </li>
      <li>
        <KeysToggle label={site('shortcuts')} className="flex items-center gap-2" />
      </li>
      {asksForAds() && (
        <li>
          <CookieChoices className={look} />
        </li>
      )}
    </ul>
  );
}
