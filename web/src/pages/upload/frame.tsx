/**
 * Makes any frame of a video its poster: the video is paused there, the browser captures the frame and sends it like an uploaded
 * picture.
 */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { get, post } from '@/api/client';
import { useUploadText } from '@/i18n/upload';
import { ApiError } from '@/lib/http';
import { useOpen } from '@/lib/use-open';
import { Button } from '@/ui/button';
import { Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';

interface Props {
  videoId: number;
  /** The video's title, for the accessible name. */
  title: string;
  onDone: () => Promise<void>;
}

const TYPE = 'image/jpeg';
/** The quality is high, because the server encodes the picture again. */
const QUALITY = 0.95;

const failed = () => new ApiError(0, { code: 'screen_upload_error' });

/** Captures the current frame. This fails for a cross-origin video without CORS. */
async function frameOf(video: HTMLVideoElement | null): Promise<Blob> {
  if (!video?.videoWidth) throw failed();
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const drawn = await new Promise<Blob | null>((resolve) => {
    try {
      canvas.toBlob(resolve, TYPE, QUALITY);
    } catch {
      resolve(null);
    }
  });
  if (!drawn) throw failed();
  return drawn;
}

export function Frame(props: Props) {
  const say = useUploadText();
  const { isOpen, open } = useOpen();
  if (isOpen) return <Picker {...props} />;
  return (
    <Button look="plain" className="self-start" onClick={open}>
      {say('pickFrame')}
    </Button>
  );
}

function Picker({ videoId, title, onDone }: Props) {
  const say = useUploadText();
  const video = useRef<HTMLVideoElement>(null);
  // Links expire, so fetch fresh ones each time this opens, but don't replace them while it is open.
  const film = useQuery({
    ...get('/api/videofile.php', { video_id: videoId }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const form = useForm({
    fields: [],
    send: async () => {
      const data = new FormData();
      data.set('video_id', String(videoId));
      data.set('poster', await frameOf(video.current), 'frame.jpg');
      await post('/api/video_poster.php', data);
      await onDone();
      void toast(say('didSendPicture'));
    },
  });
  if (film.error && !film.data) {
    return <LoadError error={film.error} onRetry={() => void film.refetch()} />;
  }
  const source = film.data?.video_url.find(({ type }) => type === 'mp4');
  return (
    <FormBox form={form} label={`${say('pickFrame')}: ${title}`}>
      <p className="text-sm">{say('frameHint')}</p>
      {source ? (
        <video
          ref={video}
          controls
          muted
          playsInline
          preload="auto"
          crossOrigin="anonymous"
          src={source.url}
          aria-label={title}
          className="aspect-video w-full max-w-2xl rounded-control bg-black"
        />
      ) : (
        <div aria-busy="true" className="skeleton aspect-video w-full max-w-2xl rounded-control" />
      )}
      <Submit form={form} beside={null}>
        {say('takeFrame')}
      </Submit>
    </FormBox>
  );
}
