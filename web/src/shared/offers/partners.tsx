import { useOffersText } from '@/i18n/offers';
import type { NamedLink } from '@/lib/offers';

/** Links to partner sites at the bottom of every page. */
export default function Partners({ partners }: { partners: NamedLink[] }) {
  const say = useOffersText();
  return (
    <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2 text-sm text-muted">
      <h2 id="partners" className="font-semibold">
        {say('partners')}
      </h2>
      <ul aria-labelledby="partners" className="flex flex-wrap gap-x-6 gap-y-2">
        {partners.map(({ name, url }) => (
          <li key={url}>
            <a
              href={url}
              target="_blank"
              rel="sponsored noopener"
              className="touch hover:text-ink hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
