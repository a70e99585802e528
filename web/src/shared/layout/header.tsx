import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { SearchBox } from '@/shared/search-box/search-box';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { cn } from '@/lib/cn';
import { useMedia, WIDE } from '@/lib/use-media';
import { useOpen } from '@/lib/use-open';
import { Boundary } from '@/ui/boundary';
import { Button } from '@/ui/button';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { Icon, Logo } from '@/ui/icons';
import { LIST_LINKS, MODEL_LINKS, MORE_LINKS, VIDEO_LINKS, type NavLink } from './nav-items';
import { GenderMenu, GenderSwitch, LanguageMenu, ThemeToggle } from './preferences';
import { useHiddenOnScroll } from './use-hidden-on-scroll';

const AccountDialogs = deferred(() => import('@/shared/account/account-dialogs'));
const AccountCorner = deferred(() => import('@/shared/account/account-corner'));
const MobileMenu = deferred(() => import('./mobile-menu'));

/** The width from which all lists and orientations have their own place in the header. */
const ROOMY = '(width >= 90rem)';

export function Header() {
  const wide = useMedia(WIDE);
  const hidden = useHiddenOnScroll(!wide);
  return (
    <header
      className={cn(
        'sticky top-0 z-30 border-b border-line bg-bg/90 backdrop-blur-md transition-transform duration-200 focus-within:translate-y-0',
        hidden && '-translate-y-full',
      )}
    >
      {wide ? <WideHeader /> : <NarrowHeader />}
      <Boundary quiet>
        <AccountDialogs />
      </Boundary>
    </header>
  );
}

function Brand() {
  return (
    <Link
      href={paths.home}
      className="flex items-center gap-2 rounded-control text-lg font-semibold tracking-tight"
    >
      <Logo />
      {/* Below 24 rem, there is no room for the name next to a member's corner. */}
      <span className="max-[24rem]:sr-only">Lantern</span>
    </Link>
  );
}

function WideHeader() {
  const t = useT();
  const isRoomy = useMedia(ROOMY);
  return (
    <div className="page flex h-16 items-center gap-2 min-[100rem]:gap-4">
      <Brand />
      <nav aria-label={t('nav.main')} className="flex items-center">
        <Disclosure label={t('nav.videos')}>
          {(close) => <Links links={VIDEO_LINKS} onFollow={close} />}
        </Disclosure>
        <div className="hidden xl:flex">
          <Link href={paths.categories} className={plain}>
            {t('nav.categories')}
          </Link>
          <Disclosure label={t('nav.models')}>
            {(close) => <Links links={MODEL_LINKS} onFollow={close} />}
          </Disclosure>
        </div>
        <div className="hidden min-[90rem]:flex">
          <Disclosure label={t('nav.community')}>
            {(close) => <Links links={MORE_LINKS} onFollow={close} />}
          </Disclosure>
        </div>
        {/* In narrow windows, search has priority, and the rest is in a menu behind one small button. */}
        <div className="min-[90rem]:hidden">
          <Disclosure name={t('nav.browse')} label={<Icon name="menu" />} className="px-2">
            {(close) => (
              <>
                <div className="xl:hidden">
                  <Links links={LIST_LINKS} onFollow={close} />
                </div>
                <Links links={MORE_LINKS} onFollow={close} />
              </>
            )}
          </Disclosure>
        </div>
      </nav>
      <div className="flex min-w-0 flex-1 justify-center">
        <SearchBox />
      </div>
      <div className="flex items-center min-[100rem]:gap-1">
        {isRoomy ? <GenderSwitch name="gender-header" /> : <GenderMenu />}
        <LanguageMenu />
        <ThemeToggle />
        <Account />
      </div>
    </div>
  );
}

function Links({ links, onFollow }: { links: readonly NavLink[]; onFollow: () => void }) {
  const t = useT();
  return (
    <ul>
      {links.map(({ key, href }) => (
        <li key={key}>
          <Link href={href} className={panelItem(false)} onClick={onFollow}>
            {t(key)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The corner's space is reserved before it loads. */
const Account = () => (
  <div className="flex h-11 min-w-22 justify-end">
    <Boundary quiet>
      <AccountCorner />
    </Boundary>
  </div>
);

const plain =
  'flex h-10 items-center rounded-control px-3 text-sm font-medium whitespace-nowrap transition-colors hover:bg-raised';

function NarrowHeader() {
  const t = useT();
  const { isOpen, open, close } = useOpen();
  return (
    <div className="page flex flex-col gap-1 pt-1 pb-2.5">
      <div className="flex items-center justify-between">
        <div className="-ms-2 flex items-center gap-1">
          <Button
            look="icon"
            aria-label={t('header.menu')}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            className="size-11"
            onClick={open}
          >
            <Icon name="menu" size={22} />
          </Button>
          <Brand />
        </div>
        <div className="-me-2 flex items-center">
          <LanguageMenu />
          <Account />
        </div>
      </div>
      <SearchBox />
      {isOpen && (
        <Boundary quiet>
          <MobileMenu onClose={close} />
        </Boundary>
      )}
    </div>
  );
}
