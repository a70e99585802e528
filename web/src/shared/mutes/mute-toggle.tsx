/** A button on the page of a category, model or member. It hides their videos from lists, or shows them again. */
import { useActionText } from '@/i18n/actions';
import { Toggle } from '@/shared/actions/toggle';
import { MemberIcon } from '@/ui/member-icons';
import { useMutes } from './mutes';
import { isMuted, type MuteTarget } from './change';
import { useMute } from './use-mute';

export default function MuteToggle({ what }: { what: MuteTarget }) {
  const say = useActionText();
  const on = isMuted(useMutes(), what);
  const mute = useMute();
  return (
    <Toggle
      lit={on}
      icon={<MemberIcon name="hide" />}
      word={say(on ? 'unhide' : 'hide')}
      onClick={() => void mute(what, !on)}
    />
  );
}
