import { Link } from 'wouter';
import type { Video } from '@/api/types';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { paths } from '@/shared/address/paths';

const SubscribeButton = deferred(async () => {
  const { SubscribeButton } = await import('@/shared/actions/subscribe');
  return { default: SubscribeButton };
});

/** A video's uploader, channel, models and categories. */
export function Credits({ video }: { video: Video }) {
  const t = useT();
  const channel = video.channel?.hidden ? null : video.channel;
  const tag =
    'block rounded-full border border-line px-3 py-1 text-sm text-muted transition-colors hover:border-control hover:text-ink';
  const rows = [
    { name: t('nav.models'), items: video.models, href: paths.model },
    { name: t('nav.categories'), items: video.categories, href: paths.category },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className="flex flex-col gap-3">
      {video.user && (
        <p className="text-sm">
          <span className="text-muted">{t('video.uploader')}</span>{' '}
          <Link
            href={paths.member(video.user.user_id)}
            className="font-semibold hover:text-accent hover:underline"
          >
            {video.user.username}
          </Link>
        </p>
      )}
      {channel && (
        <div
          role="group"
          aria-label={channel.title}
          className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 text-sm"
        >
          <b className="font-semibold">{channel.title}</b>
          <SubscribeButton section="channel" id={channel.id} />
        </div>
      )}
      {rows.map(({ name, items, href }) => (
        <div key={name} className="flex flex-wrap items-center gap-2">
          <span className="text-sm text-muted">{name}</span>
          <ul aria-label={name} className="flex flex-wrap gap-2">
            {items.map(({ dir, title }) => (
              <li key={dir}>
                <Link href={href(dir)} className={tag}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
