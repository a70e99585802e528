/** Actions on another member: subscribing, befriending, messaging, blocking and reporting. */
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { meQuery, useMe } from '@/shared/account/use-me';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { queryClient } from '@/lib/query';
import MuteToggle from '@/shared/mutes/mute-toggle';
import { friendStep } from './friend-step';
import { MemberIcon } from '@/ui/member-icons';
import { useMemberState } from './member-state';
import { SubscribeButton } from './subscribe';
import { useActionText } from '@/i18n/actions';
import { ActionRow, ReportToggle, Toggle } from './toggle';
import { useAct } from './use-act';
import { useViewBeacon } from './use-view-beacon';

export default function PersonActions({ id, username }: { id: number; username: string }) {
  const say = useActionText();
  const me = useMe();
  const state = useMemberState('user', id);
  const act = useAct('user', id);
  const requireLogin = useRequireLogin();
  useViewBeacon('user', id);
  if (me?.user_id === id) return <ActionRow>{null}</ActionRow>;
  const friend = state?.friend ?? 'none';
  const { label, section, next, done } = friendStep(friend);
  const blocked = state?.blocked ?? false;
  const write = () => {
    const user = queryClient.getQueryData(meQuery.queryKey)?.user;
    if (user) navigate(paths.messagesWith(user.user_id, id));
  };
  return (
    <ActionRow>
      <SubscribeButton section="user" id={id} />
      <Toggle
        lit={friend === 'accepted'}
        icon={<MemberIcon name="friend" />}
        onClick={() =>
          void act({
            fields: { act: 'friend', section, object_id: id },
            change: { friend: next },
            done: say(done),
          })
        }
      >
        {say(label)}
      </Toggle>
      <Toggle icon={<MemberIcon name="letter" />} onClick={() => void requireLogin(write)}>
        {say('message')}
      </Toggle>
      <Toggle
        lit={blocked}
        icon={<MemberIcon name="block" />}
        onClick={() =>
          void act({
            fields: { act: 'block', section: blocked ? 'rem' : 'add', object_id: id },
            change: { blocked: !blocked, ...(!blocked && { friend: 'none', subscribed: false }) },
            done: say(blocked ? 'didUnblock' : 'didBlock'),
          })
        }
      >
        {say(blocked ? 'unblock' : 'block')}
      </Toggle>
      <MuteToggle what={{ kind: 'members', user_id: id, title: username }} />
      <ReportToggle about={{ section: 'user', id, title: username }} />
    </ActionRow>
  );
}
