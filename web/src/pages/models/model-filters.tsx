import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { useVisitor } from '@/lib/visitor';
import { CodeChoice } from '@/shared/filters/code-choice';
import { FilterGroup } from '@/shared/filters/filter-group';
import { RANGE_FILTERS } from '../../../generated/vocabulary';
import { useModelListing, type ChoiceFilter } from '@/search/model-listing';
import { RangeFilter } from '@/shared/filters/range-filter';
import { valueText } from '@/shared/filters/value-text';

const CHOICES = ['race', 'hair_color', 'tits_size', 'tattoo', 'piercing', 'country'] as const;

export function ModelFilters() {
  const t = useT();
  const { state, bounds, results, setFilter } = useModelListing();
  return (
    <div className="flex flex-col gap-5">
      <Letters />
      {RANGE_FILTERS.map((name) => {
        const span = bounds[name];
        return (
          span && (
            <RangeFilter
              key={name}
              name={name}
              bounds={span}
              spread={results.spreads[name] ?? []}
              value={state.filters[name]}
              onChange={(value) => setFilter(name, value)}
            />
          )
        );
      })}
      {CHOICES.map((name) => (
        <CodeFilter key={name} name={name} title={t(`filter.${name}`)} />
      ))}
    </div>
  );
}

function CodeFilter({ name, title }: { name: ChoiceFilter; title: string }) {
  const t = useT();
  const { lang } = useVisitor();
  const { facets, state, setFilter } = useModelListing();
  const items = facets[name];
  return (
    <CodeChoice
      title={title}
      items={items}
      chosen={state.filters[name]}
      most={10}
      text={(value) => {
        const fallback = items.find((item) => item.value === value)?.label;
        return valueText(name, value, { t, lang, fallback });
      }}
      onChange={(value) => setFilter(name, value)}
    />
  );
}

function Letters() {
  const t = useT();
  const { facets, state, setFilter } = useModelListing();
  const letters = [...facets.alphabet].sort((a, b) => a.value.localeCompare(b.value, 'en'));
  if (letters.length === 0) return null;
  return (
    <FilterGroup title={t('filter.alphabet')}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(2rem,1fr))] gap-1">
        {letters.map(({ value, total }) => {
          const on = state.filters.alphabet === value;
          return (
            <button
              key={value}
              type="button"
              aria-pressed={on}
              aria-label={`${value} (${String(total)})`}
              onClick={() => setFilter('alphabet', on ? null : value)}
              className={cn(
                'h-8 rounded-control text-sm font-medium transition-colors',
                on ? 'bg-accent text-on-accent' : 'bg-raised hover:bg-hover',
              )}
            >
              {value}
            </button>
          );
        })}
      </div>
    </FilterGroup>
  );
}
