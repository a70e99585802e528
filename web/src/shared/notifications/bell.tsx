/** The bell in the header, with the number of unread notifications. Its panel loads on first use. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAccountText } from '@/i18n/account';
import { deferred } from '@/lib/deferred';
import { useAddress } from '@/lib/use-address';
import { Badge } from '@/shared/account/badge';
import { meQuery, type Me } from '@/shared/account/use-me';
import { Boundary } from '@/ui/boundary';
import { Disclosure } from '@/ui/disclosure';
import { MemberIcon } from '@/ui/member-icons';

const Panel = deferred(
  () => import('./panel'),
  <div aria-busy="true" className="skeleton h-40 rounded-card" />,
);

export function Bell({ me }: { me: Me }) {
  const say = useAccountText();
  useCountRefresh(me.refresh_seconds);
  const count = me.unread_notifications;
  return (
    <Disclosure
      align="end"
      className="h-11 text-muted hover:text-ink [&>span:last-child]:hidden"
      panelClassName="w-[min(24rem,calc(100vw-1rem))]"
      name={count > 0 ? say('bellWaiting', { count }) : say('bell')}
      label={
        <span className="relative">
          <MemberIcon name="bell" size={22} />
          {count > 0 && <Badge count={count} corner />}
        </span>
      }
    >
      {(close) => (
        <Boundary>
          <Panel me={me} onFollow={close} />
        </Boundary>
      )}
    </Disclosure>
  );
}

/** Refetches the count on navigation if it is older than this. */
function useCountRefresh(seconds: number) {
  const client = useQueryClient();
  const { pathname } = useAddress();
  useEffect(() => {
    const { queryKey } = meQuery;
    const readAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    if (Date.now() - readAt > seconds * 1000) void client.invalidateQueries({ queryKey });
  }, [client, pathname, seconds]);
}
