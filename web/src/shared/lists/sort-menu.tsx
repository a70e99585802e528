import { Link } from 'wouter';
import { useT } from '@/i18n';
import type { ModelSort, SearchSort } from '@/search/listing';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { Icon } from '@/ui/icons';

interface Props<Sort extends string> {
  sorts: readonly Sort[];
  current: Sort;
  href: (sort: Sort) => string;
}

export function SortMenu<Sort extends SearchSort | ModelSort>({
  sorts,
  current,
  href,
}: Props<Sort>) {
  const t = useT();
  return (
    <Disclosure
      align="end"
      name={`${t('sort.label')}: ${t(`sort.${current}`)}`}
      className="bg-raised hover:bg-hover"
      label={
        <>
          <Icon name="sort" size={18} />
          {t(`sort.${current}`)}
        </>
      }
    >
      {(close) => (
        <ul>
          {sorts.map((sort) => (
            <li key={sort}>
              <Link
                href={href(sort)}
                aria-current={sort === current ? 'true' : undefined}
                className={panelItem(sort === current)}
                onClick={close}
              >
                {t(`sort.${sort}`)}
                {sort === current && <Icon name="check" size={16} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}
