/** Title, description and who may see it: for a new playlist and for changing one. */
import { useId, useState, type SyntheticEvent } from 'react';
import { post } from '@/api/client';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { control, Field } from './field';
import { DESCRIPTION, playlistWrong, TITLE } from './playlist-rules';
import { useSay } from '@/i18n/actions';
import { useForm } from './use-form';

/** The form's own flag: 0 is private, 1 public. */
export type Visible = 0 | 1;

export interface PlaylistFields {
  title: string;
  desc: string;
  visible: Visible;
}

interface Props {
  /** What is changed; a new one starts empty and private. */
  playlist?: PlaylistFields & { playlist_id: number };
  /** Put into a new one. */
  videoId?: number;
  /** Its failure is told in the form. */
  onDone: (saved: PlaylistFields & { playlist_id: number }) => Promise<void> | void;
  onCancel: () => void;
}

const FIELDS = ['title', 'desc', 'visible'] as const;
const EMPTY: PlaylistFields = { title: '', desc: '', visible: 0 };

export function PlaylistForm({ playlist, videoId, onDone, onCancel }: Props) {
  const say = useSay();
  const { gender } = useVisitor();
  const [fields, setFields] = useState<PlaylistFields>(playlist ?? EMPTY);
  const { busy, errorOf, problem, refuse, submit } = useForm(FIELDS);
  const radio = useId();
  const set = (change: Partial<PlaylistFields>) => {
    setFields((old) => ({ ...old, ...change }));
  };
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    const wrong = playlistWrong(fields);
    if (Object.keys(wrong).length > 0) {
      refuse(wrong);
      return;
    }
    await submit(async () => {
      const { playlist_id = playlist?.playlist_id ?? 0 } = await post('/api/stat.php', {
        act: 'playlist',
        section: playlist ? 'upd' : 'new',
        ...(playlist && { object_id: playlist.playlist_id }),
        ...fields,
        // What is seen is what a new one is for; an old one stays what it is.
        ...(!playlist && { orientation: gender, video_id: videoId }),
      });
      await onDone({ ...fields, playlist_id });
    });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
      <Field label={say('title')} hint={say('length', TITLE)} error={errorOf('title')}>
        {(named) => (
          <input
            {...named}
            value={fields.title}
            onChange={(event) => {
              set({ title: event.target.value });
            }}
            className={`${control} h-10`}
          />
        )}
      </Field>
      <Field label={say('description')} hint={say('length', DESCRIPTION)} error={errorOf('desc')}>
        {(named) => (
          <textarea
            {...named}
            rows={3}
            value={fields.desc}
            onChange={(event) => {
              set({ desc: event.target.value });
            }}
            className={`${control} py-2`}
          />
        )}
      </Field>
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
        <legend className="mb-1 text-sm font-semibold">{say('visibility')}</legend>
        {([0, 1] as const).map((visible) => (
          <label key={visible} className="flex min-h-10 items-center gap-2 text-sm">
            <input
              type="radio"
              name={radio}
              checked={fields.visible === visible}
              onChange={() => {
                set({ visible });
              }}
              className="size-4"
            />
            {say(visible === 1 ? 'public' : 'private')}
          </label>
        ))}
      </fieldset>
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className={button.plain} onClick={onCancel}>
          {say('cancel')}
        </button>
        <button type="submit" disabled={busy} className={button.primary}>
          {say(playlist ? 'save' : 'create')}
        </button>
      </div>
    </form>
  );
}
