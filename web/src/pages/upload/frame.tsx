/**
 * Makes any frame of a video its poster: the video is paused there, the browser captures the whole frame and sends it like an
 * uploaded picture, with the part to use.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Area } from 'react-easy-crop';
import { get } from '@/api/client';
import { useErrorText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { ApiError } from '@/lib/http';
import { cn } from '@/lib/cn';
import { useOpen } from '@/lib/use-open';
import { Button } from '@/ui/button';
import { Submit } from '@/ui/form/field';
import { FormBox } from '@/ui/form/use-form';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import { Crop } from './crop';
import type { Limits } from './file-checks';
import { usePosterForm } from './use-poster-form';

const box = 'aspect-video w-full max-w-2xl rounded-control';

interface Props {
  videoId: number;
  /** The video's title, for the accessible name. */
  title: string;
  limits: Pick<Limits, 'poster_width' | 'poster_height'>;
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

/** A captured frame with its address. */
interface Taken {
  file: Blob;
  src: string;
}

function Picker({ videoId, title, limits, onDone }: Props) {
  const say = useUploadText();
  const textOf = useErrorText();
  const video = useRef<HTMLVideoElement>(null);
  const [taken, setTaken] = useState<Taken | null>(null);
  const [crop, setCrop] = useState<Area>();
  useEffect(
    () => () => {
      if (taken) URL.revokeObjectURL(taken.src);
    },
    [taken],
  );
  // Links expire, so fetch fresh ones each time this opens, but don't replace them while it is open.
  const film = useQuery({
    ...get('/api/videofile.php', { video_id: videoId }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const form = usePosterForm({
    videoId,
    fields: [],
    picture: async () => ({
      file: taken?.file ?? (await frameOf(video.current)),
      name: 'frame.jpg',
      crop: taken ? crop : undefined,
    }),
    onDone: async () => {
      setTaken(null);
      await onDone();
    },
  });
  if (film.error && !film.data) {
    return <LoadError error={film.error} onRetry={() => void film.refetch()} />;
  }
  const source = film.data?.video_url.find(({ type }) => type === 'mp4');
  const take = async () => {
    try {
      const file = await frameOf(video.current);
      video.current?.pause();
      setCrop(undefined);
      setTaken({ file, src: URL.createObjectURL(file) });
    } catch (error) {
      void toast(textOf(error, ''));
    }
  };
  return (
    <FormBox form={form} label={`${say('pickFrame')}: ${title}`}>
      {!taken && <p className="text-sm">{say('frameHint')}</p>}
      {taken && (
        <Crop
          key={taken.src}
          src={taken.src}
          limits={limits}
          onChange={setCrop}
          onUnreadable={() => setTaken(null)}
        />
      )}
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
          // The video keeps its position while its frame is cropped.
          className={cn(box, 'bg-black', taken && 'hidden')}
        />
      ) : (
        <div aria-busy="true" className={cn(box, 'skeleton')} />
      )}
      <Submit
        form={form}
        beside={
          <Button look="plain" onClick={() => (taken ? setTaken(null) : void take())}>
            {say(taken ? 'otherFrame' : 'cropFirst')}
          </Button>
        }
      >
        {say('takeFrame')}
      </Submit>
    </FormBox>
  );
}
