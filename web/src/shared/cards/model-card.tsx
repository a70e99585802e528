import { Link } from 'wouter';
import type { ModelCard as Card } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { countryName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Named } from '@/ui/named';

type CardModel = Pick<Card, 'dir' | 'title' | 'detail' | 'country' | 'thumbs' | 'total_videos'>;

/** Returns the wider picture. Pictures come in two widths, and their names differ only in the width. */
const wider = (thumb: string): string => thumb.replace(/-320\.(\w+)$/, '-640.$1');

export function ModelCard({ model }: { model: CardModel }) {
  const t = useT();
  const { lang } = useVisitor();
  return (
    <article className="group/card relative flex flex-col gap-2">
      <div className="aspect-square overflow-hidden rounded-card bg-raised">
        <img
          src={model.thumbs}
          srcSet={`${model.thumbs} 320w, ${wider(model.thumbs)} 640w`}
          sizes="(width >= 40rem) 220px, 46vw"
          width={320}
          height={320}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover transition-transform duration-300 group-hover/card:scale-[1.03]"
        />
      </div>
      <div>
        <h3 className="truncate text-sm leading-5 font-medium">
          <Link
            href={paths.model(model.dir)}
            className="after:absolute after:inset-0 after:content-[''] group-hover/card:text-accent"
          >
            <Named title={model.title} detail={model.detail} />
          </Link>
        </h3>
        <p className="truncate text-xs leading-5 text-muted">
          {t('count.videos', { count: model.total_videos })}
          {model.country && ` · ${countryName(model.country, lang)}`}
        </p>
      </div>
    </article>
  );
}

export function ModelGrid({ models }: { models: CardModel[] }) {
  return (
    <ul className="model-grid">
      {models.map((model) => (
        <li key={model.dir}>
          <ModelCard model={model} />
        </li>
      ))}
    </ul>
  );
}

export function ModelGridSkeleton({ count }: { count: number }) {
  return (
    <div className="model-grid skeletons" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex flex-col gap-2">
          <div className="skeleton aspect-square rounded-card" />
          <div>
            <div className="flex h-5 items-center">
              <span className="skeleton h-3.5 w-3/4 rounded" />
            </div>
            <div className="flex h-5 items-center">
              <span className="skeleton h-3 w-1/2 rounded" />
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}
