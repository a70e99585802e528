/** The panel that the bell opens. It shows the latest notifications and a link to all of them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useNotificationText } from '@/i18n/notifications';
import { useVisitor } from '@/lib/visitor';
import { paths } from '@/shared/address/paths';
import type { Me } from '@/shared/account/use-me';
import { listQuery } from '@/shared/queries/own-lists';
import { panelItem } from '@/ui/disclosure';
import { LoadError } from '@/ui/problem';
import { ReadAll } from './read-all';
import { NotificationRows } from './rows';

/** How many notifications are shown. The page with all notifications has more. */
const SHOWN = 8;

export default function Panel({ me, onFollow }: { me: Me; onFollow: () => void }) {
  const say = useNotificationText();
  const { lang } = useVisitor();
  const { data, error, refetch } = useQuery(listQuery('notifications', 1, lang));
  return (
    <div className="flex flex-col gap-1">
      {error && !data ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div aria-busy="true" className="skeleton h-40 rounded-card" />
      ) : data.notifications.length === 0 ? (
        <p className="px-3 py-6 text-sm text-muted">{say('none')}</p>
      ) : (
        <>
          <div className="flex justify-end">
            <ReadAll me={me} page={1} />
          </div>
          <NotificationRows
            notifications={data.notifications.slice(0, SHOWN)}
            me={me.user_id}
            page={1}
            onFollow={onFollow}
          />
        </>
      )}
      <Link
        href={paths.memberTab(me.user_id, 'notifications')}
        className={panelItem(false)}
        onClick={onFollow}
      >
        {say('all')}
      </Link>
    </div>
  );
}
