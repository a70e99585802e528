import { useOffersText } from '@/i18n/offers';
import type { NamedLink } from '@/lib/offers';

/** A sponsored link to another site, for visitors who are in the mood for something else. */
export function Suggestion({ name, url }: NamedLink) {
  const say = useOffersText();
  return (
    <div>
      <p className="pb-1 text-xs text-muted">{say('ad')}</p>
      <a
        href={url}
        target="_blank"
        rel="sponsored noopener"
        className="flex min-h-14 items-center rounded-card border border-line bg-surface px-4 py-2 font-medium transition-colors hover:border-control hover:text-accent"
      >
        {say('suggestion', { name })}
      </a>
    </div>
  );
}
