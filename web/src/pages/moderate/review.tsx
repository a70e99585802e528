/** All there is to see of an upload, and what becomes of it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useModerateText } from '@/i18n/moderate';
import { clock } from '@/shared/actions/share-links';
import { Waiting } from '@/shared/account/member-frame';
import { LoadError } from '@/ui/problem';
import { Facts } from './facts';
import { Performers } from './performers';
import type { Named } from './order';
import { uploadQuery, type Staff, type Upload } from './queries';
import { Verdict } from './verdict';

interface Props {
  item: Named;
  staff: Staff;
  /** Something was decided. */
  onDone: () => Promise<void>;
}

export function Review({ item, staff, onDone }: Props) {
  const client = useQueryClient();
  const query = uploadQuery(item);
  const { data, error, refetch } = useQuery(query);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  return (
    <article aria-labelledby="reviewed" className="flex min-w-0 flex-col gap-6">
      <h2 id="reviewed" className="text-xl font-bold text-balance break-words">
        {data.upload.title}
      </h2>
      <Film upload={data} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Facts upload={data} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Verdict upload={data} staff={staff} onDone={onDone} onStale={refresh} />
          <Performers upload={data} staff={staff} onDone={refresh} />
        </div>
      </div>
    </article>
  );
}

/** The film itself and ten of its frames. */
function Film({ upload: { upload, file, frames, duration } }: { upload: Upload }) {
  const say = useModerateText();
  const source = file?.video_url.find(({ type }) => type === 'mp4');
  return (
    <div className="flex flex-col gap-2">
      {source && (
        // Nothing is said in a film that nobody has seen yet.
        // eslint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          preload="metadata"
          playsInline
          src={source.url}
          poster={upload.thumb ?? undefined}
          aria-label={`${upload.title}, ${clock(duration)}`}
          className="aspect-video max-h-[60dvh] w-full rounded-card bg-black"
        />
      )}
      <ul className="grid grid-cols-5 gap-1">
        {frames.map((frame, at) => (
          <li key={frame}>
            <a href={frame} target="_blank" rel="noreferrer" className="block">
              <img
                src={frame}
                alt={say('frame', { number: at + 1, total: frames.length })}
                loading="lazy"
                className="aspect-video w-full rounded-control object-cover"
              />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
