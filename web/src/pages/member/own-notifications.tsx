/** The member's notifications, page by page. */
import { useNotificationText } from '@/i18n/notifications';
import { useVisitor } from '@/lib/visitor';
import type { Me } from '@/shared/account/use-me';
import { List, type Place } from '@/shared/lists/list';
import { ReadAll } from '@/shared/notifications/read-all';
import { NotificationRows } from '@/shared/notifications/rows';
import { listQuery } from '@/shared/queries/own-lists';

export function OwnNotifications({ me, ...place }: { me: Me } & Place) {
  const say = useNotificationText();
  const { lang } = useVisitor();
  return (
    <List
      of="notifications"
      query={listQuery('notifications', place.page, lang)}
      none={say('none')}
      skeleton={<div className="skeleton h-96 max-w-2xl rounded-card" />}
      {...place}
    >
      {(notifications) => (
        <div className="max-w-2xl">
          <ReadAll me={me} page={place.page} />
          <NotificationRows notifications={notifications} me={me.user_id} page={place.page} />
        </div>
      )}
    </List>
  );
}
