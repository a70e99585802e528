import { useT } from '@/i18n';
import { DATES, DURATIONS, TYPES } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { CategoryFilter } from './category-filter';
import { Choice } from './filter-group';

/** Everything a listing of videos can be narrowed by, in the rail or the sheet. */
export function VideoFilters() {
  const t = useT();
  const { scope, state, set } = useVideoListing();
  // A country's chart and a model's videos are lists of their own: the API does not cut them
  // by category.
  const byCategory = scope.kind === 'browse' || scope.kind === 'search';
  return (
    <div className="flex flex-col gap-5">
      {byCategory && <CategoryFilter />}
      <Choice
        title={t('filter.duration')}
        values={DURATIONS}
        current={state.duration}
        text={(value) => t(`duration.${value}`)}
        onChange={(duration) => {
          set({ duration });
        }}
      />
      <Choice
        title={t('filter.date')}
        values={DATES}
        current={state.date}
        text={(value) => t(`date.${value}`)}
        onChange={(date) => {
          set({ date });
        }}
      />
      <Choice
        title={t('filter.type')}
        values={TYPES}
        current={state.type}
        text={(value) => t(`type.${value}`)}
        onChange={(type) => {
          set({ type });
        }}
      />
    </div>
  );
}
