import { deferred } from '@/lib/deferred';
import { useEffect, useId, useState } from 'react';
import { useT } from '@/i18n';
import { limits } from '@/lib/limits';
import type { NameKind } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { Named } from '@/ui/named';
import { FilterGroup, FilterRow, Rows } from './filter-group';

const Exclude = deferred(
  () => import('@/shared/search-help/exclude'),
  <span className="w-11 shrink-0 lg:w-8" />,
);

const TYPING_MS = 150;
/** How many rows the rail shows before "show more". */
const FIRST = { categories: 10, models: 5 };

const TEXTS = {
  categories: {
    title: 'filter.categories',
    find: 'filter.findCategory',
    none: 'filter.noCategory',
    most: 'filter.maxCategories',
  },
  models: {
    title: 'nav.models',
    find: 'filter.findModel',
    none: 'empty.models',
    most: 'filter.maxModels',
  },
} as const;

/** Categories or models with their counts. Typing searches them in the visitor's language. */
export function NameFilter({ named }: { named: NameKind }) {
  const t = useT();
  const name = useId();
  const listing = useVideoListing();
  const { scope, titleOf, state, results, set } = listing;
  const { items, search } = listing.named[named];
  const say = TEXTS[named];
  const [text, setText] = useState('');
  const { names: most } = limits();
  const full = state[named].length >= most;
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
    // The function changes with every result, but only a new text may trigger a search.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text]);
  const typed = text.trim() !== '';
  // Selected items stay visible whatever is typed, so that they can be deselected.
  const chosen = state[named].map((dir) => ({
    dir,
    title: titleOf(named, dir),
    detail: results.details[named]?.[dir],
    total: items.find((item) => item.dir === dir)?.total ?? results.total,
    chosen: true,
  }));
  const isHidden = (dir: string) =>
    state[`not_${named}`].includes(dir) ||
    // On a model's own page, every video has the model.
    (named === 'models' && scope.kind === 'model' && scope.dir === dir);
  const others = items.filter(
    ({ dir, chosen, common }) => !chosen && (common || typed) && !isHidden(dir),
  );
  const rows = [...chosen, ...others];
  const toggle = (dir: string) => {
    // From now on, the rows follow the new selection and not the typed text.
    setText('');
    const without = state[named].filter((other) => other !== dir);
    set({ [named]: without.length < state[named].length ? without : [...without, dir] });
  };
  return (
    <FilterGroup title={t(say.title)}>
      <input
        type="search"
        value={text}
        aria-label={t(say.find)}
        placeholder={t(say.find)}
        onChange={(event) => setText(event.target.value)}
        className="mb-2 h-10 w-full rounded-control border border-line bg-bg px-3 text-sm placeholder:text-muted focus:border-accent focus:outline-none lg:h-9"
      />
      <div role="group" aria-label={t(say.title)}>
        <Rows items={rows} most={FIRST[named]}>
          {({ dir, title, detail, total, chosen: on }) => (
            <div key={dir} className="flex">
              <FilterRow
                type="checkbox"
                name={name}
                checked={on}
                disabled={!on && full}
                label={<Named title={title} detail={detail} />}
                total={total}
                onChange={() => toggle(dir)}
              />
              <Exclude named={named} dir={dir} title={detail ? `${title} ${detail}` : title} />
            </div>
          )}
        </Rows>
        {rows.length === 0 && results.hits && (
          <p className="py-2 text-sm text-muted">{t(say.none)}</p>
        )}
      </div>
      {full && <p className="pt-2 text-xs text-muted">{t(say.most, { count: most })}</p>}
    </FilterGroup>
  );
}
