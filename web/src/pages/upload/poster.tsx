/** A custom poster for a video, used instead of a frame of the video. */
import { useEffect, useState } from 'react';
import type { Area } from 'react-easy-crop';
import { useUploadText } from '@/i18n/upload';
import { limits as configured } from '@/lib/limits';
import { pictureTypes } from '@/shared/files/picture-types';
import { FileField, Submit } from '@/ui/form/field';
import { FormBox } from '@/ui/form/use-form';
import { Crop } from './crop';
import type { Limits } from './file-checks';
import { usePosterForm } from './use-poster-form';

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
  // A new field shows no file name.
  const [sent, setSent] = useState(0);
  const [preview, setPreview] = useState<string | null>(null);
  const [crop, setCrop] = useState<Area>();
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview);
    },
    [preview],
  );
  const show = (file: File | undefined) => {
    setCrop(undefined);
    setPreview(file ? URL.createObjectURL(file) : null);
  };
  const form = usePosterForm({
    videoId,
    fields: ['poster'],
    check,
    picture: (data) => {
      const file = fileOf(data);
      if (!file) throw new Error('no picture');
      return { file, name: file.name, crop };
    },
    onDone: async () => {
      // Until then, the old poster would be shown, whose file is gone.
      await onDone();
      setSent((times) => times + 1);
      show(undefined);
    },
  });
  return (
    <FormBox form={form} label={`${say('ownPicture')}: ${title}`}>
      <FileField
        key={sent}
        form={form}
        name="poster"
        label={say('ownPicture')}
        accept={pictureTypes()}
        choose={say('chooseFile')}
        none={say('noFile')}
        hint={say('ownPictureHint', { width: limits.poster_width, height: limits.poster_height })}
        onChoose={show}
      />
      {preview ? (
        <Crop
          key={preview}
          src={preview}
          limits={limits}
          onChange={setCrop}
          // The server says what is wrong with the picture.
          onUnreadable={() => show(undefined)}
        />
      ) : (
        poster && (
          <img
            src={poster}
            alt={say('ownPictureNow')}
            className="aspect-video w-64 max-w-full rounded-control object-cover"
          />
        )
      )}
      <Submit form={form} beside={null}>
        {say('sendPicture')}
      </Submit>
    </FormBox>
  );
}
