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
  return (
    <Toggle
      lit={on}
      icon={<MemberIcon name="bell" />}
      onClick={() =>
        void act({
          fields: {
            act: 'subscribe',
            section: on ? 'rem' : 'add',
            object_type: section,
            object_id: id,
          },
          change: { subscribed: !on },
          done: say(on ? 'didUnsubscribe' : 'didSubscribe'),
        })
      }
    >
      {say(on ? 'subscribed' : 'subscribe')}
    </Toggle>
  );
}
