/** The switch that hides watched videos in all lists. */
import { useT } from '@/i18n';
import { FilterRow } from '@/shared/filters/filter-group';
import { useMutes } from './mutes';
import { useChangeMutes } from './use-mute';

export default function HideWatched() {
  const t = useT();
  const { watched } = useMutes();
  const change = useChangeMutes();
  return (
    <FilterRow
      type="checkbox"
      name="hide-watched"
      checked={watched}
      label={t('filter.hideWatched')}
      onChange={() =>
        void change({
          change: (mutes) => ({ ...mutes, watched: !watched }),
          fields: { act: 'mute', section: watched ? 'unwatched' : 'watched' },
        })
      }
    />
  );
}
