/** The button that marks all notifications as read. */
import { useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';
import { errorText } from '@/i18n/errors';
import { useNotificationText } from '@/i18n/notifications';
import { useVisitor } from '@/lib/visitor';
import { meQuery, type Me } from '@/shared/account/use-me';
import { SmallButton } from '@/shared/actions/confirm-button';
import { listUrl } from '@/shared/queries/own-lists';
import { toast } from '@/ui/toast';

export function ReadAll({ me, page }: { me: Me; page: number }) {
  const say = useNotificationText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const read = async () => {
    try {
      await post('/api/notifications.php', { act: 'read' });
    } catch (error) {
      await toast(await errorText(error, lang), 'error');
      return;
    }
    void client.invalidateQueries({ queryKey: [listUrl('notifications', page, lang)] });
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  return (
    <SmallButton disabled={me.unread_notifications === 0} onClick={() => void read()}>
      {say('readAll')}
    </SmallButton>
  );
}
