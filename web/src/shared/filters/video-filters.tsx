import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { useVideoListing } from '@/search/video-listing';
import { NameFilter } from './name-filter';
import { Choice } from './filter-group';
import { choiceCounts, narrows } from './choice-counts';
import { ABOVE_NAMES, BELOW_NAMES, choiceText } from './choice-text';

const CountChoices = deferred(() => import('./count-choices'));

const HideWatched = deferred(() => import('@/shared/mutes/hide-watched'));

/** How many options of a facet the rail shows before "show more". */
const MOST = 6;

/** All filters for a video listing, in the rail or the sheet. */
export default function VideoFilters() {
  return (
    <div className="flex flex-col gap-5">
      <CountChoices />
      <div className="min-h-11 lg:min-h-8">
        <HideWatched />
      </div>
      <Choices of={ABOVE_NAMES} />
      <NameFilter named="categories" />
      <NameFilter named="models" />
      <Choices of={BELOW_NAMES} />
    </div>
  );
}

function Choices({ of }: { of: typeof ABOVE_NAMES }) {
  const t = useT();
  const { state, set } = useVideoListing();
  const counts = choiceCounts.useValue();
  return of
    .filter(({ name, words: [initial] }) => state[name] !== initial || narrows(counts?.[name]))
    .map(({ name, words }) => (
      <Choice<string>
        key={name}
        title={t(`filter.${name}`)}
        values={words}
        current={state[name]}
        most={MOST}
        text={(value) => choiceText(name, value, t)}
        total={(value) => counts?.[name].find((choice) => choice.value === value)?.total}
        onChange={(value) => set({ [name]: value })}
      />
    ));
}
