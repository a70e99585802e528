import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { DATES, DURATIONS, TYPES, type VideoState } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { NameFilter } from './name-filter';
import { Choice } from './filter-group';
import { choiceCounts } from './choice-counts';

const CountChoices = deferred(() => import('./count-choices'));

const HideWatched = deferred(() => import('@/shared/mutes/hide-watched'));

/** All filters for a video listing, in the rail or the sheet. */
export default function VideoFilters() {
  const t = useT();
  const { state, set } = useVideoListing();
  const counts = choiceCounts.useValue();
  const choice = <Name extends 'duration' | 'date' | 'type'>(name: Name) => ({
    title: t(`filter.${name}`),
    current: state[name],
    total: (value: string) => counts?.[name].find((choice) => choice.value === value)?.total,
    onChange: (value: VideoState[Name]) => set({ [name]: value }),
  });
  return (
    <div className="flex flex-col gap-5">
      <CountChoices />
      <div className="min-h-11 lg:min-h-8">
        <HideWatched />
      </div>
      <NameFilter named="categories" />
      <NameFilter named="models" />
      <Choice {...choice('duration')} values={DURATIONS} text={(value) => t(`duration.${value}`)} />
      <Choice {...choice('date')} values={DATES} text={(value) => t(`date.${value}`)} />
      <Choice {...choice('type')} values={TYPES} text={(value) => t(`type.${value}`)} />
    </div>
  );
}
