/** Asks for confirmation before an own video is deleted or restored after some days. */
import { useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';
import { limits } from '@/lib/limits';
import { toast } from '@/ui/toast';
import { Button } from '@/ui/button';
import { found, required, type Problem } from '@/ui/form/checks';
import { Field, Submit } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import type { OwnVideo } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';
import { ACTS, daysOf, stateOf } from './upload-state';

const daysProblem = (text: string): Problem =>
  required(text) ??
  (daysOf(text) === null ? { code: 'days_invalid', bound: limits().readd_days[1] } : null);

interface Props {
  video: OwnVideo;
  act: 'delete' | 'readd';
  /** Query key of the list that contains the video. */
  listKey: string;
  onClose: () => void;
}

export default function UploadDialog({ video, act, listKey, onClose }: Props) {
  const say = useMemberText();
  const client = useQueryClient();
  const [usual, most] = limits().readd_days;
  const deletes = act === 'delete';
  const isGone = stateOf(video) === 'deleted';
  const text = deletes ? 'deleteText' : isGone ? 'readdText' : 'pauseText';
  const form = useForm({
    fields: ['days'],
    check: (data) => found({ days: deletes ? null : daysProblem(textField(data, 'days')) }),
    send: async (data) => {
      await post('/api/video_edit.php', {
        act: ACTS[act],
        video_id: video.video_id,
        ...(!deletes && { days: daysOf(textField(data, 'days')) }),
      });
      void client.invalidateQueries({ queryKey: [listKey] });
      onClose();
      void toast(say(deletes ? 'didDeleteVideo' : 'didReadd'));
    },
  });
  return (
    <Sheet title={say(deletes ? 'deleteTitle' : 'readd')} place="center" onClose={onClose}>
      <FormBox form={form}>
        <p className="text-sm">{say(text, { title: video.title })}</p>
        {!deletes && (
          <Field
            form={form}
            name="days"
            label={say('afterDays')}
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            defaultValue={usual}
          />
        )}
        <Submit
          form={form}
          danger={deletes}
          beside={
            <Button look="plain" onClick={onClose}>
              {say('cancel')}
            </Button>
          }
        >
          {say(deletes ? 'deleteVideo' : 'readd')}
        </Submit>
      </FormBox>
    </Sheet>
  );
}
