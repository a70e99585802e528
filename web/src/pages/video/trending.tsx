import { Link } from 'wouter';
import type { Video } from '@/api/types';
import { useOffersText } from '@/i18n/offers';
import { paths } from '@/shared/address/paths';
import { Icon } from '@/ui/icons';

const DAY = '?date=day';

/** A link to today's most watched videos in the video's category. */
export default function Trending({ categories }: { categories: Video['categories'] }) {
  const say = useOffersText();
  const [category] = categories;
  return (
    <h2 className="text-lg font-semibold tracking-tight">
      <Link
        href={
          category
            ? `/categories/${category.dir}/most-popular/1/${DAY}`
            : paths.videos('most-popular', DAY)
        }
        className="flex min-h-11 items-center justify-between gap-2 hover:text-accent"
      >
        {category ? say('trendingIn', { name: category.title }) : say('trending')}
        <Icon name="right" size={18} />
      </Link>
    </h2>
  );
}
