/** Deleting an own video, or letting it come back after some days: asked once more before it is done. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { control, Field } from '@/shared/actions/field';
import { useForm } from '@/shared/actions/use-form';
import { post } from '@/api/client';
import { toast } from '@/ui/toast';
import { button } from '@/ui/button';
import Sheet from '@/ui/sheet';
import type { OwnVideo } from '@/shared/queries/own-lists';
import { useAreaSay } from '@/i18n/member';
import { ACTS, daysOf, READD_DAYS, stateOf } from './upload-state';

const FIELDS = ['days'] as const;

interface Props {
  video: OwnVideo;
  act: 'delete' | 'readd';
  /** Key of the list it stands in. */
  listKey: string;
  onClose: () => void;
}

export default function UploadDialog({ video, act, listKey, onClose }: Props) {
  const say = useAreaSay();
  const client = useQueryClient();
  const [days, setDays] = useState(String(READD_DAYS));
  const { busy, errorOf, problem, refuse, submit } = useForm(FIELDS);
  const deletes = act === 'delete';
  const isGone = stateOf(video) === 'deleted';
  const text = deletes ? 'deleteText' : isGone ? 'readdText' : 'pauseText';
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    const count = daysOf(days);
    if (!deletes && count === null) {
      refuse({ days: { code: days.trim() === '' ? 'required' : 'invalid' } });
      return;
    }
    const sent = await submit(() =>
      post('/api/video_edit.php', {
        act: ACTS[act],
        video_id: video.video_id,
        ...(!deletes && { days: count ?? READD_DAYS }),
      }),
    );
    if (!sent) return;
    void client.invalidateQueries({ queryKey: [listKey] });
    onClose();
    await toast(say(deletes ? 'didDeleteVideo' : 'didReadd'));
  };
  return (
    <Sheet title={say(deletes ? 'deleteTitle' : 'readd')} place="center" onClose={onClose}>
      <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void send(event)}>
        <p className="text-sm">{say(text, { title: video.title })}</p>
        {!deletes && (
          <Field label={say('afterDays')} error={errorOf('days')}>
            {(named) => (
              <input
                {...named}
                type="number"
                inputMode="numeric"
                min={1}
                value={days}
                onChange={(event) => {
                  setDays(event.target.value);
                }}
                className={`${control} h-10 w-32`}
              />
            )}
          </Field>
        )}
        {problem && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className={button.plain} onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" disabled={busy} className={button.primary}>
            {say(deletes ? 'deleteVideo' : 'readd')}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
