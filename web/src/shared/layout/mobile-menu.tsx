import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { panelItem } from '@/ui/disclosure';
import Sheet from '@/ui/sheet';
import { MODEL_LINKS, MORE_LINKS, VIDEO_LINKS } from './nav-items';
import { GenderSwitch, LanguageList, ThemeToggle } from './preferences';

export default function MobileMenu({ onClose }: { onClose: () => void }) {
  const t = useT();
  const item = (href: string, label: string) => (
    <li key={href}>
      <Link href={href} className={panelItem(false)} onClick={onClose}>
        {label}
      </Link>
    </li>
  );
  return (
    <Sheet title={t('header.menu')} place="start" onClose={onClose}>
      <nav aria-label={t('nav.main')} className="-mx-3 flex flex-col gap-5">
        <Group title={t('nav.videos')}>
          {VIDEO_LINKS.map(({ key, href }) => item(href, t(key)))}
        </Group>
        <Group title={t('nav.browse')}>
          {item(paths.categories, t('nav.categories'))}
          {MORE_LINKS.map(({ key, href }) => item(href, t(key)))}
        </Group>
        <Group title={t('nav.models')}>
          {MODEL_LINKS.map(({ key, href }) => item(href, t(key)))}
        </Group>
      </nav>
      <div className="mt-6 flex flex-col gap-4 border-t border-line pt-5">
        <div className="flex items-center gap-3">
          <div className="flex-1">
            <GenderSwitch name="gender-menu" />
          </div>
          <ThemeToggle />
        </div>
        <div className="-mx-3">
          <LanguageList onChosen={onClose} />
        </div>
      </div>
    </Sheet>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="px-3 pb-1 text-xs font-semibold tracking-wide text-muted uppercase">{title}</p>
      <ul>{children}</ul>
    </div>
  );
}
