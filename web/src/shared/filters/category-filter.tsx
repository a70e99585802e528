import { deferred } from '@/lib/deferred';
import { useEffect, useId, useState } from 'react';
import { useT } from '@/i18n';
import { MAX_CATEGORIES } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { FilterGroup, FilterRow, Rows } from './filter-group';

const Exclude = deferred(
  () => import('@/shared/search-help/exclude'),
  <span className="w-11 shrink-0 lg:w-8" />,
);

const TYPING_MS = 150;
/** So many stand in the rail before somebody asks for more. */
const FIRST = 10;

/** Categories with counts; typing searches them in the visitor's language. */
export function CategoryFilter() {
  const t = useT();
  const name = useId();
  const { scope, categories, categoryTitle, searchCategories, state, results, set } =
    useVideoListing();
  const [text, setText] = useState('');
  const full = state.categories.length >= MAX_CATEGORIES;
  useEffect(() => {
    const timer = setTimeout(() => {
      searchCategories(text.trim());
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
    // The function's identity changes with every result; only the text asks.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  const typed = text.trim() !== '';
  // A chosen category stays in sight, so that it can be let go, whatever was found or typed.
  const chosen = state.categories.map((dir) => ({
    dir,
    title: categoryTitle(dir),
    total: categories.find((item) => item.dir === dir)?.total ?? results.total,
    chosen: true,
  }));
  const others = categories.filter(
    ({ dir, chosen, common }) =>
      !chosen && (common || typed) && !state.not_categories.includes(dir),
  );
  const rows = [...chosen, ...others];
  const toggle = (dir: string) => {
    const without = state.categories.filter((other) => other !== dir);
    set({ categories: without.length < state.categories.length ? without : [...without, dir] });
  };
  return (
    <FilterGroup title={t('filter.categories')}>
      <input
        type="search"
        value={text}
        aria-label={t('filter.findCategory')}
        placeholder={t('filter.findCategory')}
        onChange={(event) => {
          setText(event.target.value);
        }}
        className="mb-2 h-10 w-full rounded-control border border-line bg-bg px-3 text-sm placeholder:text-muted focus:border-accent focus:outline-none lg:h-9"
      />
      <div role="group" aria-label={t('filter.categories')}>
        <Rows items={rows} most={FIRST}>
          {({ dir, title, total, chosen: on }) => (
            <div key={dir} className="flex">
              <FilterRow
                type="checkbox"
                name={name}
                checked={on}
                disabled={!on && full}
                label={title}
                total={total}
                onChange={() => {
                  toggle(dir);
                }}
              />
              {scope.kind === 'search' && <Exclude dir={dir} title={title} />}
            </div>
          )}
        </Rows>
        {rows.length === 0 && results.hits && (
          <p className="py-2 text-sm text-muted">{t('filter.noCategory')}</p>
        )}
      </div>
      {full && (
        <p className="pt-2 text-xs text-muted">
          {t('filter.maxCategories', { max: MAX_CATEGORIES })}
        </p>
      )}
    </FilterGroup>
  );
}
