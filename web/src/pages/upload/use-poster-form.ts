/** A form that sends a picture as the poster of a video. */
import { useState } from 'react';
import type { Area } from 'react-easy-crop';
import { post } from '@/api/client';
import { useErrorText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { ApiError } from '@/lib/http';
import { toast } from '@/ui/toast';
import { useForm, type Form, type Problems } from '@/ui/form/use-form';

export interface Picture {
  file: Blob;
  name: string;
  /** The part to use, in pixels of the upright picture. Undefined stands for all of it. */
  crop: Area | undefined;
}

interface Options {
  videoId: number;
  /** The form's fields that show errors. */
  fields: readonly string[];
  check?: (data: FormData) => Problems;
  picture: (data: FormData) => Promise<Picture> | Picture;
  onDone: () => Promise<void>;
}

/** Returns the form. Its errors include why a picture was refused. */
export function usePosterForm({ videoId, fields, check, picture, onDone }: Options): Form {
  const say = useUploadText();
  const textOf = useErrorText();
  const [why, setWhy] = useState<string>();
  const form = useForm({
    fields,
    ...(check && { check }),
    send: async (data, element) => {
      setWhy(undefined);
      const { file, name, crop } = await picture(data);
      const sent = new FormData();
      sent.set('video_id', String(videoId));
      sent.set('poster', file, name);
      for (const [key, value] of Object.entries(crop ?? {})) sent.set(`crop_${key}`, String(value));
      try {
        await post('/api/video_poster.php', sent);
      } catch (error) {
        const code = error instanceof ApiError ? error.info.code : undefined;
        if (typeof code === 'string') setWhy(code);
        throw error;
      }
      element.reset();
      await onDone();
      void toast(say('didSendPicture'));
    },
  });
  const withReason = (text: string | undefined) =>
    text && why ? `${text} ${textOf({ code: why }, '')}` : text;
  return {
    ...form,
    problem: withReason(form.problem),
    error: (field) => withReason(form.error(field)),
  };
}
