/** The form for a playlist's title, description and visibility, used to create and edit playlists. */
import type { Schema } from '@/api/call';
import { sendAct } from '@/api/act';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Field, Submit, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import { playlistProblems } from './playlist-rules';
import { useActionText } from '@/i18n/actions';

export interface PlaylistFields {
  title: string;
  desc: string;
  /** 0 is private, and 1 is public. */
  visible: 0 | 1;
}

interface Props {
  /** The playlist to edit. A new playlist starts empty and private. */
  playlist?:
    Pick<Schema<'PlaylistCard'>, 'playlist_id' | 'title' | 'description' | 'private'> | undefined;
  /** A video that is added to a new playlist. */
  videoId?: number;
  /** Called after saving. If it throws an error, the form shows it. */
  onDone: (saved: PlaylistFields) => Promise<void> | void;
  onCancel: () => void;
}

const read = (data: FormData): PlaylistFields => ({
  title: textField(data, 'title'),
  desc: textField(data, 'desc'),
  visible: data.get('visible') === '1' ? 1 : 0,
});

export function PlaylistForm({ playlist, videoId, onDone, onCancel }: Props) {
  const say = useActionText();
  const { gender } = useVisitor();
  const form = useForm({
    fields: ['title', 'desc', 'visible'],
    check: (data) => playlistProblems(read(data)),
    send: async (data) => {
      const fields = read(data);
      const act = { act: 'playlist', ...fields } as const;
      // A new playlist gets the current orientation, while an existing one keeps its orientation.
      await sendAct(
        playlist
          ? { ...act, section: 'upd', object_id: playlist.playlist_id }
          : { ...act, section: 'new', orientation: gender, video_id: videoId },
      );
      await onDone(fields);
    },
  });
  const { playlist_title, playlist_description } = limits();
  return (
    <FormBox form={form}>
      <Field
        form={form}
        name="title"
        label={say('title')}
        hint={say('length', { ...playlist_title })}
        defaultValue={playlist?.title}
      />
      <TextArea
        form={form}
        name="desc"
        label={say('description')}
        hint={say('length', { ...playlist_description })}
        rows={3}
        defaultValue={playlist?.description}
      />
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
        <legend className="mb-1 text-sm font-semibold">{say('visibility')}</legend>
        {([0, 1] as const).map((visible) => (
          <label key={visible} className="flex min-h-10 items-center gap-2 text-sm">
            <input
              type="radio"
              name="visible"
              value={visible}
              defaultChecked={visible === (playlist && playlist.private !== 0 ? 1 : 0)}
              className="size-4"
            />
            {say(visible === 1 ? 'public' : 'private')}
          </label>
        ))}
      </fieldset>
      <Submit
        form={form}
        beside={
          <Button look="plain" onClick={onCancel}>
            {say('cancel')}
          </Button>
        }
      >
        {say(playlist ? 'save' : 'create')}
      </Submit>
    </FormBox>
  );
}

export function PlaylistDialog(props: Props) {
  const say = useActionText();
  return (
    <Sheet
      title={say(props.playlist ? 'editPlaylist' : 'newPlaylist')}
      place="center"
      onClose={props.onCancel}
    >
      <PlaylistForm {...props} />
    </Sheet>
  );
}
