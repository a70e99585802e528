import { useQuery } from '@tanstack/react-query';
import { useOffersText } from '@/i18n/offers';
import { fetchJson } from '@/lib/http';
import type { NamedLink } from '@/lib/offers';
import { section } from '@/lib/title';
import { useNear } from '@/lib/use-near';
import { useVisitor } from '@/lib/visitor';
import { friendVideos, listAddress, type FriendVideo } from './friend-videos';

/** Placeholder cards. Their number is enough for any window. */
const WAITING = Array.from({ length: 8 }, () => undefined);

/** Videos from a friend site. They are requested without cookies when the block comes near the window. */
export function FriendPromo({ name, url }: NamedLink) {
  const say = useOffersText();
  const { lang, gender } = useVisitor();
  const [root, near] = useNear();
  const address = listAddress(url, { lang, gender });
  const { data, isError } = useQuery({
    queryKey: [address],
    queryFn: ({ signal }) => fetchJson<unknown>(address, { signal, credentials: 'omit' }),
    select: (answer) => friendVideos(answer, url),
    enabled: near,
  });
  // Failures of another site are ignored.
  if (isError || data?.length === 0) return null;
  return (
    <section ref={root} aria-labelledby="friend">
      <p className="pb-1 text-xs text-muted">{say('ad')}</p>
      <h2 id="friend" className={`${section} pb-3`}>
        {say('friend', { name })}
      </h2>
      <div className="shelf">
        <ul className="video-grid" aria-hidden={!data}>
          {(data ?? WAITING).map((video, at) => (
            <li key={at}>
              <Card video={video} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Card({ video }: { video: FriendVideo | undefined }) {
  if (!video)
    return (
      <>
        <div className="skeleton aspect-video rounded-card" />
        <p className={TITLE} />
      </>
    );
  return (
    <a
      href={video.url}
      target="_blank"
      rel="sponsored noopener"
      className="block rounded-card hover:text-accent"
    >
      <div className="relative">
        <img
          crossOrigin="anonymous"
          referrerPolicy="strict-origin"
          src={video.thumb}
          alt=""
          width={320}
          height={180}
          loading="lazy"
          className="aspect-video w-full rounded-card bg-raised object-cover"
        />
        <span className="absolute end-1.5 bottom-1.5 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
          {video.duration}
        </span>
      </div>
      <p className={TITLE}>{video.title}</p>
    </a>
  );
}

/** Two lines are reserved, so that nothing shifts when the titles load. */
const TITLE =
  'mt-2 line-clamp-2 h-[2.6em] text-[13px] leading-[1.3] font-medium text-pretty sm:text-sm sm:leading-[1.3]';
