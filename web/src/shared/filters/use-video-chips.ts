import { useT } from '@/i18n';
import { NAMES } from '../../../generated/vocabulary';
import { emptyVideoState } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { ABOVE_NAMES, BELOW_NAMES, choiceText } from './choice-text';
import type { ChipItem } from './chips';

/** Returns the chips for a video listing, and a function that clears them all. */
export function useVideoChips(): { chips: ChipItem[]; clear: () => void } {
  const t = useT();
  const { state, set, titleOf, results } = useVideoListing();
  const relaxed = results.help?.relaxed ?? [];
  const names = NAMES.flatMap(({ name, kind, negated }) =>
    state[name].map((dir) => ({
      key: `${name}-${dir}`,
      label: `${negated ? '− ' : ''}${titleOf(kind, dir)}`,
      unapplied: name === 'categories' && relaxed.includes('category'),
      remove: () => set({ [name]: state[name].filter((other) => other !== dir) }),
    })),
  );
  const chosen = [...ABOVE_NAMES, ...BELOW_NAMES].filter(
    ({ name, words: [initial] }) => state[name] !== initial,
  );
  const choices = chosen.map(({ name, words: [initial] }) => ({
    key: name,
    label: choiceText(name, state[name], t),
    unapplied: relaxed.some((part) => part === name),
    remove: () => set({ [name]: initial }),
  }));
  return {
    chips: [...names, ...choices],
    clear: () => set({ ...emptyVideoState(), query: state.query, sort: state.sort }),
  };
}
