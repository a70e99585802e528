/** A custom poster for a video, used instead of a frame of the video. */
import { useEffect, useId, useState } from 'react';
import { post } from '@/api/client';
import { useErrorText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { ApiError } from '@/lib/http';
import { limits as configured } from '@/lib/limits';
import { pictureTypes } from '@/shared/files/picture-types';
import { toast } from '@/ui/toast';
import { Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import type { Limits } from './file-checks';

interface Props {
  videoId: number;
  /** The video's title, for the accessible name. */
  title: string;
  /** The current poster. */
  poster?: string | undefined;
  limits: Pick<Limits, 'poster_width' | 'poster_height'>;
  onDone: () => Promise<void>;
}

const fileOf = (data: FormData): File | null => {
  const file = data.get('poster');
  return file instanceof File && file.size > 0 ? file : null;
};

const check = (data: FormData) => {
  const file = fileOf(data);
  if (!file) return { poster: { code: 'need_select_screenshot' } };
  return file.size > configured().picture_bytes ? { poster: { code: 'file_too_large' } } : {};
};

export function Poster({ videoId, title, poster, limits, onDone }: Props) {
  const say = useUploadText();
  const textOf = useErrorText();
  const id = useId();
  const [why, setWhy] = useState<string | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview);
    },
    [preview],
  );
  const form = useForm({
    fields: ['poster'],
    check,
    send: async (data, element) => {
      setWhy(null);
      data.set('video_id', String(videoId));
      try {
        await post('/api/video_poster.php', data);
      } catch (error) {
        const code = error instanceof ApiError ? error.info.code : undefined;
        if (typeof code === 'string') setWhy(code);
        throw error;
      }
      element.reset();
      setPreview(null);
      await onDone();
      void toast(say('didSendPicture'));
    },
  });
  const error = form.error('poster');
  const shown = preview ?? poster;
  return (
    <FormBox form={form} label={`${say('ownPicture')}: ${title}`}>
      <div className="flex flex-col gap-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {say('ownPicture')}
        </label>
        {shown && (
          <img
            src={shown}
            alt={say('ownPictureNow')}
            className="aspect-video w-64 max-w-full rounded-control object-cover"
          />
        )}
        <input
          id={id}
          name="poster"
          type="file"
          accept={pictureTypes()}
          aria-invalid={error !== undefined}
          aria-describedby={[error && `${id}-error`, `${id}-hint`].filter(Boolean).join(' ')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            setWhy(null);
            setPreview(file ? URL.createObjectURL(file) : null);
          }}
          className="max-w-full text-sm"
        />
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="text-sm text-danger">
            {error} {why && textOf({ code: why }, '')}
          </p>
        )}
        <p id={`${id}-hint`} className="text-xs text-pretty text-muted">
          {say('ownPictureHint', { width: limits.poster_width, height: limits.poster_height })}
        </p>
      </div>
      <Submit form={form} beside={null}>
        {say('sendPicture')}
      </Submit>
    </FormBox>
  );
}
