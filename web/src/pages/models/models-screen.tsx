import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { ModelGrid, ModelGridSkeleton } from '@/shared/cards/model-card';
import type { ChipItem } from '@/shared/filters/chips';
import { ListFrame } from '@/shared/lists/frame';
import { Pagination } from '@/shared/lists/pagination';
import { SortMenu } from '@/shared/lists/sort-menu';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import type { Listing } from '@/search/codec';
import { MODEL_FILTERS, PAGE_SIZE } from '../../../generated/vocabulary';
import { MODEL_SORTS, isRangeFilter } from '@/search/listing';
import { ListingTree } from '@/search/listing-tree';
import { ModelListingProvider, useModelListing } from '@/search/model-listing';
import { Button, button } from '@/ui/button';
import { LoadError, Panel } from '@/ui/problem';
import { ModelFilters } from './model-filters';
import { spanText, valueText } from '@/shared/filters/value-text';

export default function ModelsScreen({
  listing,
}: {
  listing: Extract<Listing, { list: 'models' }>;
}) {
  return (
    <ListingTree listing={listing}>
      <ModelListingProvider>
        <ModelList />
      </ModelListingProvider>
    </ListingTree>
  );
}

function useModelChips(): ChipItem[] {
  const t = useT();
  const { lang } = useVisitor();
  const { state, setFilter, facets } = useModelListing();
  return MODEL_FILTERS.flatMap((name) => {
    const value = state.filters[name];
    if (!value) return [];
    const text = isRangeFilter(name)
      ? spanText(name, value, t)
      : valueText(name, value, {
          t,
          lang,
          fallback: facets[name].find((item) => item.value === value)?.label,
        });
    return [
      {
        key: name,
        label: `${t(`filter.${name}`)}: ${text}`,
        remove: () => setFilter(name, null),
      },
    ];
  });
}

function ModelList() {
  const t = useT();
  const { sort, href, results, state, set } = useModelListing();
  const chips = useModelChips();
  const name = useListName(t('nav.models'), state.sort !== null && t(`sort.${sort}`));
  usePageTitle(name, state.page);
  const clear = () => set({ filters: {} });
  return (
    <ListFrame
      heading={<h1 className={heading}>{name}</h1>}
      summary={results.hits && !results.error ? t('count.models', { count: results.total }) : null}
      sort={
        <SortMenu
          links={MODEL_SORTS.map((other) => [
            href({ sort: other }),
            t(`sort.${other}`),
            other === sort,
          ])}
        />
      }
      filters={<ModelFilters />}
      chips={chips}
      onClear={clear}
      show={t('filter.show', { count: results.total })}
      busy={results.busy}
    >
      <ModelResults onClear={chips.length > 0 ? clear : null} />
    </ListFrame>
  );
}

function ModelResults({ onClear }: { onClear: (() => void) | null }) {
  const t = useT();
  const { results, state, href } = useModelListing();
  if (results.error) {
    return <LoadError error={results.error} onRetry={results.retry} />;
  }
  if (!results.hits) return <ModelGridSkeleton count={PAGE_SIZE} />;
  return (
    <>
      {results.hits.length === 0 ? (
        <Panel title={t('empty.models')} text={onClear ? t('empty.fewerFilters') : undefined}>
          {onClear && (
            <Button look="primary" onClick={onClear}>
              {t('filter.clear')}
            </Button>
          )}
          <Link href={paths.models()} className={button.plain}>
            {t('home.models')}
          </Link>
        </Panel>
      ) : (
        <ModelGrid models={results.hits} />
      )}
      <Pagination
        page={state.page}
        pages={results.pages}
        href={(page) => href({ page })}
        onNear={results.prefetch}
      />
    </>
  );
}
