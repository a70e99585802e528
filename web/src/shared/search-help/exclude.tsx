import { MAX_NAMES } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { MemberIcon } from '@/ui/member-icons';
import { useSearchText } from '@/i18n/search';

/** Beside a category: leaves its videos out. */
export default function Exclude({ dir, title }: { dir: string; title: string }) {
  const t = useSearchText();
  const { state, set } = useVideoListing();
  const { categories, not_categories } = state;
  const name = t('exclude', { name: title });
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      disabled={not_categories.length >= MAX_NAMES}
      onClick={() => {
        set({
          categories: categories.filter((other) => other !== dir),
          not_categories: [...not_categories, dir],
        });
      }}
      className="grid w-11 shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-raised hover:text-ink disabled:opacity-45 lg:w-8"
    >
      {/* A cross would read as taking the row away. */}
      <MemberIcon name="block" size={16} />
    </button>
  );
}
