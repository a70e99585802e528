import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { CategoryCard } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { heading, useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { categoriesQuery } from '@/shared/queries/categories';

const SKELETONS = 24;

export default function CategoriesScreen() {
  const t = useT();
  const { data, error, refetch } = useQuery(categoriesQuery(useVisitor()));
  const title = useListName(t('nav.categories'));
  useTitle(title);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className="page pt-6 lg:pt-8">
      <h1 className={`pb-5 ${heading}`}>{title}</h1>
      <ul className="video-grid" aria-busy={!data}>
        {data
          ? data.categories.map((category) => (
              <li key={category.dir}>
                <Tile category={category} />
              </li>
            ))
          : Array.from({ length: SKELETONS }, (_, index) => (
              <li key={index} className="skeleton aspect-video rounded-card" aria-hidden="true" />
            ))}
      </ul>
    </div>
  );
}

function Tile({ category }: { category: CategoryCard }) {
  const t = useT();
  return (
    <Link
      href={paths.category(category.dir)}
      className="group/tile relative block aspect-video overflow-hidden rounded-card bg-raised"
    >
      {category.thumb && (
        <img
          src={category.thumb}
          alt=""
          width={320}
          height={180}
          loading="lazy"
          decoding="async"
          className="size-full object-cover transition-transform duration-300 group-hover/tile:scale-[1.03]"
        />
      )}
      <span className="absolute inset-0 flex flex-col justify-end bg-linear-to-t from-black/85 via-black/40 to-transparent p-3 text-white sm:p-4">
        <span className="text-sm leading-tight font-semibold sm:text-base">{category.title}</span>
        <span className="text-xs text-white/80">
          {t('count.videos', { count: category.total_videos })}
        </span>
      </span>
    </Link>
  );
}
