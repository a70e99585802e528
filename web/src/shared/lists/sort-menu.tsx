import { Link } from 'wouter';
import { useT } from '@/i18n';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { Icon } from '@/ui/icons';

/** A list's sort orders, each with its address, its label, and whether it is current. */
export function SortMenu({ links }: { links: [string, string, boolean][] }) {
  const t = useT();
  const current = links.find(([, , isNow]) => isNow)?.[1];
  return (
    <Disclosure
      align="end"
      name={`${t('sort.label')}: ${current ?? ''}`}
      className="touch bg-raised hover:bg-hover"
      label={
        <>
          <Icon name="sort" size={18} />
          {current}
        </>
      }
    >
      {(close) => (
        <ul>
          {links.map(([href, name, isNow]) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={isNow ? 'true' : undefined}
                className={panelItem(isNow)}
                onClick={close}
              >
                {name}
                {isNow && <Icon name="check" size={16} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}
