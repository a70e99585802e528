import { lazy } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { mainQuery } from '@/api/endpoints';
import { paths } from '@/shared/address/paths';
import { resolve } from '@/shared/address/route';
import { AdSpot } from '@/shared/ads/ad-spot';
import { useBusiness } from '@/shared/ads/use-business';
import { Below } from './below';
import { FootLinks } from './foot-links';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { optional, orNothing } from '@/lib/deferred';
import { sent } from '@/lib/sent';
import { NARROW, useMedia } from '@/lib/use-media';
import { useAddress } from '@/lib/use-address';
import { useVisitor } from '@/lib/visitor';
import { Icon, Logo } from '@/ui/icons';
import { COMMUNITY_LINKS } from './nav-items';

// The footer waits for everything that affects its height, so that nothing in it shifts.
const Partners = lazy(orNothing(() => import('@/shared/offers/partners')));
const PremiumOffer = lazy(orNothing(() => import('@/shared/offers/premium-offer')));
const PageViews = optional(() => import('@/shared/offers/page-views'));

/** The footer is below the page, so it is loaded after the page. */
export default function Footer() {
  const t = useT();
  const { page_views } = sent();
  const { ads, offers } = useBusiness();
  const links = [
    [paths.videos(), t('nav.videos')],
    [paths.categories, t('nav.categories')],
    [paths.models(), t('nav.models')],
    ...COMMUNITY_LINKS.map(({ key, href }) => [href, t(key)] as const),
    [paths.topCountry(), t('nav.topCountry')],
  ] as const;
  return (
    <footer>
      <Below />
      {ads && <PageAd />}
      {page_views && <PageViews />}
      {offers?.premium && <PremiumOffer offer={offers.premium} />}
      <div className="mt-24 border-t border-line bg-surface pb-24 lg:pb-0">
        <div className="page flex flex-col gap-10 py-10">
          <Keywords />
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-t border-line pt-6 text-sm">
            <p className="flex items-center gap-2 font-semibold">
              <Logo size={22} /> Lantern
            </p>
            <nav aria-label={t('footer.links')}>
              <ul className="flex flex-wrap gap-x-6 gap-y-2 text-muted">
                {links.map(([href, label]) => (
                  <li key={href}>
                    <Link href={href} className="hover:text-ink hover:underline">
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            <p className="text-muted">{t('footer.adults')}</p>
          </div>
          <FootLinks />
          {offers?.partners && <Partners partners={offers.partners} />}
        </div>
      </div>
    </footer>
  );
}

/** Video pages have separate ad slots, and form pages have none. */
const WITHOUT = ['video', 'account'];

function PageAd() {
  const { pathname } = useAddress();
  if (WITHOUT.includes(resolve(pathname, '').page)) return null;
  // A new screen checks the consent again.
  return <AdSpot key={pathname} place="page" className="page mt-12" />;
}

function Keywords() {
  const t = useT();
  const { data } = useQuery(mainQuery(useVisitor()));
  const isNarrow = useMedia(NARROW);
  if (!data || data.keywords.length === 0) return null;
  const title = 'text-sm font-semibold';
  const tags = (
    <ul className="flex flex-wrap gap-2">
      {data.keywords.map(({ title }) => (
        <li key={title}>
          <Link
            href={paths.search(title)}
            className="block rounded-full border border-line px-3 py-1 text-xs text-muted transition-colors hover:border-control hover:text-ink"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
  // A hundred links would fill several phone screens.
  return isNarrow ? (
    <details className="group/tags">
      <summary className="flex min-h-11 list-none items-center justify-between">
        <h2 className={title}>{t('footer.keywords')}</h2>
        <span className="text-muted group-open/tags:rotate-180">
          <Icon name="down" size={16} />
        </span>
      </summary>
      {tags}
    </details>
  ) : (
    <section aria-labelledby="keywords">
      <h2 id="keywords" className={cn(title, 'pb-4')}>
        {t('footer.keywords')}
      </h2>
      {tags}
    </section>
  );
}
