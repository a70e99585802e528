import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { categoriesQuery } from '@/shared/queries/categories';
import { COMMUNITY_LINKS, MODEL_LINKS, VIDEO_LINKS } from '@/shared/layout/nav-items';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { heading, useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { TOPICS, topicPath } from '@/shared/address/topics';
import { useSiteText } from '@/i18n/site';

export default function SitemapScreen() {
  const t = useT();
  const site = useSiteText();
  const { data, error, refetch } = useQuery(categoriesQuery(useVisitor()));
  const title = useListName(site('sitemap'));
  useTitle(title);
  return (
    <div className="page flex flex-col gap-8 pt-6 lg:pt-8">
      <h1 className={heading}>{title}</h1>
      <div className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        <Part title={t('nav.videos')}>
          {VIDEO_LINKS.map(({ key, href }) => (
            <Item key={key} href={href} text={t(key)} />
          ))}
          <Item href={paths.topCountry()} text={t('nav.topCountry')} />
        </Part>
        <Part title={t('nav.models')}>
          {MODEL_LINKS.map(({ key, href }) => (
            <Item key={key} href={href} text={t(key)} />
          ))}
        </Part>
        <Part title={t('nav.browse')}>
          <Item href={paths.categories} text={t('nav.categories')} />
          {COMMUNITY_LINKS.map(({ key, href }) => (
            <Item key={key} href={href} text={t(key)} />
          ))}
        </Part>
        <Part title={site('all')}>
          {TOPICS.map((topic) => (
            <Item key={topic} href={topicPath(topic)} text={site(topic)} />
          ))}
        </Part>
      </div>
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <Part title={t('nav.categories')} columns>
          {data.categories.map(({ dir, title }) => (
            <Item key={dir} href={paths.category(dir)} text={title} />
          ))}
        </Part>
      )}
    </div>
  );
}

function Part({
  title,
  columns = false,
  children,
}: {
  title: string;
  columns?: boolean;
  children: ReactNode;
}) {
  return (
    <section>
      <h2 className="pb-2 text-sm font-semibold">{title}</h2>
      <ul className={columns ? 'columns-2 gap-8 sm:columns-3 lg:columns-5' : ''}>{children}</ul>
    </section>
  );
}

function Item({ href, text }: { href: string; text: string }) {
  return (
    <li>
      <Link
        href={href}
        className="inline-flex min-h-8 items-center text-sm text-muted hover:text-ink hover:underline"
      >
        {text}
      </Link>
    </li>
  );
}
