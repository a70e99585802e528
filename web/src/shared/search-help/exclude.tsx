import { limits } from '@/lib/limits';
import type { NameKind } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { MemberIcon } from '@/ui/member-icons';
import { useSearchText } from '@/i18n/search';

interface Props {
  named: NameKind;
  dir: string;
  title: string;
}

/** The button next to a category or model that excludes its videos. */
export default function Exclude({ named, dir, title }: Props) {
  const t = useSearchText();
  const { state, set } = useVideoListing();
  const excluded = state[`not_${named}`];
  const name = t('exclude', { name: title });
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      disabled={excluded.length >= limits().names}
      onClick={() =>
        set({
          [named]: state[named].filter((other) => other !== dir),
          [`not_${named}`]: [...excluded, dir],
        })
      }
      className="grid w-11 shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-raised hover:text-ink disabled:opacity-45 lg:w-8"
    >
      {/* A cross would look as if it removed the row. */}
      <MemberIcon name="block" size={16} />
    </button>
  );
}
