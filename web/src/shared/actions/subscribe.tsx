import { MemberIcon } from '@/ui/member-icons';
import { useMemberState } from './member-state';
import { useActionText } from '@/i18n/actions';
import { Toggle } from './toggle';
import { useAct } from './use-act';

export function SubscribeButton({
  section,
  id,
}: {
  section: 'model' | 'channel' | 'user';
  id: number;
}) {
  const say = useActionText();
  const on = useMemberState(section, id)?.subscribed ?? false;
  const act = useAct(section, id);
  const fields = (what: 'add' | 'rem') => ({
    act: 'subscribe' as const,
    section: what,
    object_type: section,
    object_id: id,
  });
  return (
    <Toggle
      lit={on}
      icon={<MemberIcon name="bell" />}
      onClick={() =>
        void act({
          fields: fields(on ? 'rem' : 'add'),
          change: { subscribed: !on },
          done: say(on ? 'didUnsubscribe' : 'didSubscribe'),
          undo: on ? fields('add') : undefined,
        })
      }
    >
      {say(on ? 'subscribed' : 'subscribe')}
    </Toggle>
  );
}
