import { useT } from '@/i18n';
import { KIND_OF, NAMES, emptyVideoState } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import type { ChipItem } from './chips';

const CHOICES = ['duration', 'date', 'type'] as const;

/** Returns the chips for a video listing, and a function that clears them all. */
export function useVideoChips(): { chips: ChipItem[]; clear: () => void } {
  const t = useT();
  const { state, set, titleOf, results } = useVideoListing();
  const relaxed = results.help?.relaxed ?? [];
  const { type, duration, date } = state;
  const names = NAMES.flatMap((name) =>
    state[name].map((dir) => ({
      key: `${name}-${dir}`,
      label: `${name.startsWith('not_') ? '− ' : ''}${titleOf(KIND_OF[name], dir)}`,
      unapplied: name === 'categories' && relaxed.includes('category'),
      remove: () => set({ [name]: state[name].filter((other) => other !== dir) }),
    })),
  );
  const words = {
    duration: t(`duration.${duration}`),
    date: t(`date.${date}`),
    type: t(`type.${type}`),
  };
  const choices = CHOICES.filter((name) => state[name] !== 'all').map((name) => ({
    key: name,
    label: words[name],
    unapplied: name !== 'type' && relaxed.includes(name),
    remove: () => set({ [name]: 'all' }),
  }));
  return {
    chips: [...names, ...choices],
    clear: () => set({ ...emptyVideoState(), query: state.query, sort: state.sort }),
  };
}
