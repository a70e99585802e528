/** Ten frames of a video. The member chooses one of them as the poster. */
import { useId } from 'react';
import { post } from '@/api/client';
import { useUploadText } from '@/i18n/upload';
import { toast } from '@/ui/toast';
import { Submit } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';

interface Props {
  videoId: number;
  /** The video's title, for the accessible name. */
  title: string;
  shots: readonly string[];
  /** The current frame's number. */
  chosen?: number;
  onDone: () => Promise<void>;
}

export function Shots({ videoId, title, shots, chosen, onDone }: Props) {
  const say = useUploadText();
  const id = useId();
  const form = useForm({
    fields: ['shot'],
    check: (data) => (data.has('shot') ? {} : { shot: { code: 'need_select_screenshot' } }),
    send: async (data) => {
      const shot = Number(textField(data, 'shot'));
      await post('/api/video_edit.php', { video_id: videoId, shot });
      await onDone();
      void toast(say('didChoose'));
    },
  });
  const error = form.error('shot');
  return (
    <FormBox form={form} label={`${say('choosePicture')}: ${title}`}>
      <div
        role="radiogroup"
        // The group gets the focus on an error, because none of the ten frames is at fault.
        tabIndex={-1}
        aria-labelledby={`${id}-name`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        <p id={`${id}-name`} className="pb-2 text-sm font-semibold">
          {say('choosePicture')}
        </p>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-5">
          {shots.map((shot, index) => (
            <label
              key={shot}
              className="relative block overflow-hidden rounded-control border-2 border-line bg-raised has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <img
                src={shot}
                alt={say('picture', { number: index + 1 })}
                loading="lazy"
                className="aspect-video w-full object-cover"
              />
              <input
                type="radio"
                name="shot"
                value={index}
                defaultChecked={index === chosen}
                className="absolute start-2 top-2 size-5"
              />
            </label>
          ))}
        </div>
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="pt-2 text-sm text-danger">
            {error}
          </p>
        )}
      </div>
      <Submit form={form} beside={null}>
        {say('takePicture')}
      </Submit>
    </FormBox>
  );
}
