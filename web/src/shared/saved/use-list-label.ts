/** The default name for a saved list, which consists of the query and filters. */
import { useT } from '@/i18n';
import { limits } from '@/lib/limits';
import { useVideoListing } from '@/search/video-listing';
import { useVideoChips } from '@/shared/filters/use-video-chips';

export function useListLabel(): string {
  const t = useT();
  const { scope, state, sort, results, titleOf } = useVideoListing();
  const { chips } = useVideoChips();
  const isNamed = scope.kind === 'browse' && state.categories.length > 0;
  const first = () => {
    if (scope.kind === 'search') return state.query.trim();
    if (isNamed) return state.categories.map((dir) => titleOf('categories', dir)).join(' + ');
    if (scope.kind !== 'model') return t(`sort.${sort}`);
    const models = results.hits?.flatMap(({ models }) => models) ?? [];
    return models.find(({ dir }) => dir === scope.dir)?.title ?? scope.dir;
  };
  const others = chips.filter(({ key }) => !(isNamed && key.startsWith('categories-')));
  const label = [first(), ...others.map((chip) => chip.label)].join(' · ');
  return Array.from(label).slice(0, limits().saved_name).join('');
}
