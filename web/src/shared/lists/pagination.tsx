import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { pageNumbers } from '@/search/pages';
import { Icon } from '@/ui/icons';

interface Props {
  /** The list's name, if the screen has several lists. */
  of?: string;
  page: number;
  pages: number;
  /** Returns a link to a page, for lists that have the page in the address… */
  href?: ((page: number) => string) | undefined;
  /** …or a callback that turns to a page, for other lists. If there are links, the callback is only notified. */
  onPick?: ((page: number) => void) | undefined;
  /** Called with a page that is likely to be requested next. */
  onNear?: ((page: number) => void) | undefined;
}

const cell =
  'grid h-11 min-w-11 place-items-center rounded-control px-2 text-sm font-medium tabular-nums transition-colors';

export function Pagination({ of, page, pages, href, onPick, onNear }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  // A page beyond the end shows a way back, even if there is only a single page.
  if (pages < 1 || (pages === 1 && page === 1)) return null;
  const go = (target: number, label: string, content: ReactNode, current = false) => {
    const common = {
      'aria-label': label,
      'aria-current': current ? ('page' as const) : undefined,
      className: cn(cell, current ? 'bg-accent font-semibold text-on-accent' : 'hover:bg-raised'),
      onClick: () => onPick?.(target),
      onPointerEnter: () => onNear?.(target),
      onFocus: () => onNear?.(target),
    };
    return href ? (
      <Link href={href(target)} {...common}>
        {content}
      </Link>
    ) : (
      <button type="button" {...common}>
        {content}
      </button>
    );
  };
  const step = (target: number, label: string, icon: 'left' | 'right') =>
    target >= 1 && target <= pages ? (
      go(target, label, <Icon name={icon} />)
    ) : (
      <span className={cn(cell, 'text-muted opacity-40')}>
        <Icon name={icon} />
      </span>
    );
  return (
    <nav
      aria-label={of ? `${of}: ${t('pages.label')}` : t('pages.label')}
      className="flex items-center justify-center gap-1 pt-12"
    >
      {step(Math.min(page - 1, pages), t('pages.previous'), 'left')}
      <ul className="flex items-center gap-1">
        {pageNumbers(page, pages).map((number, index, shown) => {
          const text = formatNumber(number, lang);
          // A phone has room for both ends and the current page. The current page's neighbors are one step away.
          const isWide = number !== page && number !== 1 && number !== pages;
          return (
            <Fragment key={number}>
              {number === page && page > 2 && <Gap className="sm:hidden" />}
              {index > 0 && number - (shown[index - 1] ?? 0) > 1 && (
                <Gap className="max-sm:hidden" />
              )}
              <li className={cn(isWide && 'max-sm:hidden')}>
                {go(number, t('pages.page', { page: text }), text, number === page)}
              </li>
              {number === page && page < pages - 1 && <Gap className="sm:hidden" />}
            </Fragment>
          );
        })}
      </ul>
      {step(page + 1, t('pages.next'), 'right')}
    </nav>
  );
}

const Gap = ({ className }: { className: string }) => (
  <li aria-hidden="true" className={cn('px-1 text-muted', className)}>
    …
  </li>
);
