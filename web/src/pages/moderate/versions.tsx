/** The frames of a video beside those of the new version that is to replace it. */
import { useQuery } from '@tanstack/react-query';
import { useModerateText } from '@/i18n/moderate';
import { LoadError } from '@/ui/problem';
import { clock } from '@/shared/actions/share-links';
import { Box } from './facts';
import { Frames } from './likenesses';
import { uploadQuery, type Upload } from './queries';

export function Versions({ upload }: { upload: Upload }) {
  const { replaces } = upload.upload;
  return replaces === null ? null : <Both upload={upload} id={replaces} />;
}

function Both({ upload, id }: { upload: Upload; id: number }) {
  const say = useModerateText();
  const { data, error, refetch } = useQuery(uploadQuery({ section: 'video', id }));
  return (
    <Box title={say('replaces', { id })}>
      <p className="text-sm">
        <a
          href={`/moderate/?video_id=${String(id)}`}
          target="_blank"
          rel="noreferrer"
          className="text-accent underline"
        >
          {say('currentVersion')}
        </a>
      </p>
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      <div className="grid gap-4 md:grid-cols-2">
        <Frames title={`${say('newVersion')} · ${clock(upload.duration)}`} frames={upload.frames} />
        {data && (
          <Frames
            title={`${say('currentVersion')} · ${clock(data.duration)}`}
            frames={data.frames}
          />
        )}
      </div>
    </Box>
  );
}
