/** Videos that look similar, with their frames side by side. */
import { UPLOAD_STATUS } from '@/api/status';
import { useModerateText } from '@/i18n/moderate';
import { fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { clock } from '@/shared/actions/share-links';
import { Box } from './facts';
import type { Upload } from './queries';

type Like = Upload['like'][number];

const STATES = {
  [UPLOAD_STATUS.published]: 'state_1',
  [UPLOAD_STATUS.inReview]: 'state_2',
  [UPLOAD_STATUS.draft]: 'state_3',
  [UPLOAD_STATUS.rejected]: 'state_4',
  [UPLOAD_STATUS.deleted]: null,
  [UPLOAD_STATUS.scheduled]: 'state_6',
} as const;

export function Likenesses({ upload }: { upload: Upload }) {
  const say = useModerateText();
  if (upload.like.length === 0) return null;
  return (
    <Box title={say('likenesses')}>
      <ul className="flex flex-col gap-6">
        {upload.like.map((like) => (
          <li key={like.id} className="flex flex-col gap-2 text-sm">
            <About like={like} />
            {like.frames.length > 0 && (
              <div className="grid gap-4 md:grid-cols-2">
                <Frames title={say('thisVideo')} frames={upload.frames} />
                <Frames title={like.title} frames={like.frames} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Box>
  );
}

/** Details of the other video. A removed video can't be opened any more. */
function About({ like }: { like: Like }) {
  const say = useModerateText();
  const { lang } = useVisitor();
  const { id, title, username, created_at, duration, banned_at, distance, status_id } = like;
  const state = STATES[status_id];
  const name = `${String(id)} · ${title}`;
  return (
    <div>
      <p className="font-semibold break-words">
        {banned_at ? (
          name
        ) : (
          <a
            href={`/moderate/?video_id=${String(id)}`}
            target="_blank"
            rel="noreferrer"
            className="underline"
          >
            {name}
          </a>
        )}
      </p>
      {banned_at && (
        <p className="font-semibold text-danger">
          {say('downOn', { date: fullDate(banned_at, lang) })}
        </p>
      )}
      <p className="text-muted">
        {[
          username ?? '—',
          fullDate(created_at, lang),
          clock(duration),
          !banned_at && state && say(state),
          say('difference', { bits: Math.round(distance) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

/** Shows the ten frames of a video. */
export function Frames({ title, frames }: { title: string; frames: readonly string[] }) {
  const say = useModerateText();
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="truncate text-xs text-muted">{title}</figcaption>
      <ul className="grid grid-cols-5 gap-1">
        {frames.map((frame, at) => (
          <li key={frame}>
            <img
              src={frame}
              alt={say('frame', { number: at + 1, total: frames.length })}
              loading="lazy"
              className="aspect-video w-full rounded-control object-cover"
            />
          </li>
        ))}
      </ul>
    </figure>
  );
}
