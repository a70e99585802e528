import { useT } from '@/i18n';
import { useVideoListing } from '@/search/video-listing';
import type { ChipItem } from './chips';

/** The chips of a listing of videos, and the way to drop them all at once. */
export function useVideoChips(): { chips: ChipItem[]; clear: () => void } {
  const t = useT();
  const { state, set, categoryTitle } = useVideoListing();
  const { type, duration, date } = state;
  const chips: ChipItem[] = state.categories.map((dir) => ({
    key: `category-${dir}`,
    label: categoryTitle(dir),
    remove: () => {
      set({ categories: state.categories.filter((other) => other !== dir) });
    },
  }));
  for (const dir of state.not_categories) {
    chips.push({
      key: `not-${dir}`,
      label: `− ${categoryTitle(dir)}`,
      remove: () => {
        set({ not_categories: state.not_categories.filter((other) => other !== dir) });
      },
    });
  }
  const add = (key: string, label: string, remove: () => void) =>
    chips.push({ key, label, remove });
  if (duration !== 'all') {
    add('duration', t(`duration.${duration}`), () => {
      set({ duration: 'all' });
    });
  }
  if (date !== 'all') {
    add('date', t(`date.${date}`), () => {
      set({ date: 'all' });
    });
  }
  if (type !== 'all') {
    add('type', t(`type.${type}`), () => {
      set({ type: 'all' });
    });
  }
  return {
    chips,
    clear: () => {
      set({ categories: [], not_categories: [], type: 'all', duration: 'all', date: 'all' });
    },
  };
}
