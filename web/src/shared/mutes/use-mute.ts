/** Mutes and unmutes, in this browser for guests and on the server for members. */
import { useQueryClient } from '@tanstack/react-query';
import { sendAct, type ActOf } from '@/api/act';
import { useActionText } from '@/i18n/actions';
import { errorText } from '@/i18n/errors';
import { useVisitor } from '@/lib/visitor';
import { meQuery } from '@/shared/account/use-me';
import { toast } from '@/ui/toast';
import { changeGuestMutes, guestMutes } from './mutes';
import { mutesQuery } from './queries';
import { type Mutes } from './rules';
import { withMute, withoutMute, type MuteTarget } from './change';

interface Change {
  /** The change to a guest's mutes, which returns null if the limit is reached. */
  change: (mutes: Mutes) => Mutes | null;
  /** The call's fields for a member. */
  fields: ActOf<'mute'>;
  /** The message on success. */
  done?: string;
  /** Undoes the change. */
  undo?: () => unknown;
}

const TYPES = { categories: 'category', models: 'model' } as const;

function fieldsOf(what: MuteTarget, on: boolean): Change['fields'] {
  const act = { act: 'mute', section: on ? 'add' : 'rem' } as const;
  return what.kind === 'members'
    ? { ...act, object_type: 'user', object_id: what.user_id }
    : { ...act, object_type: TYPES[what.kind], dir: what.dir };
}

/** Returns a function that changes mutes. Its errors become a toast. */
export function useChangeMutes(): (deed: Change) => Promise<void> {
  const client = useQueryClient();
  const { lang } = useVisitor();
  return async ({ change, fields, done, undo }) => {
    try {
      const { user } = await client.query(meQuery);
      if (user) {
        await sendAct(fields);
        // The response triggers a refetch of lists, once the server is up to date.
        await client.invalidateQueries({ queryKey: mutesQuery(lang).queryKey });
      } else {
        const changed = change(guestMutes());
        if (!changed) {
          await toast(await errorText({ code: 'too_many_mutes' }, lang), 'error');
          return;
        }
        changeGuestMutes(() => changed);
      }
      if (done) await toast(done, 'success', undo);
    } catch (error) {
      await toast(await errorText(error, lang), 'error');
    }
  };
}

/** Returns a function: `mute(what, true)` hides something from lists, and `false` shows it again. */
export function useMute(): (what: MuteTarget, on: boolean) => Promise<void> {
  const say = useActionText();
  const change = useChangeMutes();
  const mute = (what: MuteTarget, on: boolean): Promise<void> =>
    change({
      change: (mutes) => (on ? withMute(mutes, what) : withoutMute(mutes, what)),
      fields: fieldsOf(what, on),
      done: say(on ? 'didMute' : 'didUnmute', { title: what.title }),
      undo: () => void mute(what, !on),
    });
  return mute;
}
