/** The screen where moderators decide on uploads. */
import { useQuery } from '@tanstack/react-query';
import { useAccountText } from '@/i18n/account';
import { useModerateText } from '@/i18n/moderate';
import { ApiError } from '@/lib/http';
import { MemberFrame, Waiting } from '@/shared/account/member-frame';
import { LoadError } from '@/ui/problem';
import { Desk } from './desk';
import { namedIn } from './order';
import { staffQuery } from './queries';
import { SecondStep } from './second-step';

export default function ModerateScreen({ search }: { search: string }) {
  const say = useModerateText();
  return (
    <MemberFrame title={useAccountText()('moderate')} lead={say('lead')} wide asksHere>
      {() => <Door search={search} />}
    </MemberFrame>
  );
}

/** Admits moderators whose session has passed the second factor. */
function Door({ search }: { search: string }) {
  const say = useModerateText();
  const { data, error, refetch } = useQuery(staffQuery);
  if (error instanceof ApiError && error.status === 403)
    return <p role="alert">{say('notStaff')}</p>;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  return data.until === null ? <SecondStep /> : <Desk staff={data} named={namedIn(search)} />;
}
