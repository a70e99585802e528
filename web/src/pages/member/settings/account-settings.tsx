/** The owner-only part of the member's page: password, email address, sessions, data export and account deletion. */
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import type { Path } from '@/api/call';
import { button } from '@/ui/button';
import { MemberIcon } from '@/ui/member-icons';
import { LoadError } from '@/ui/problem';
import { useAccountText } from '@/i18n/account';
import { useNotificationText } from '@/i18n/notifications';
import { useMe } from '@/shared/account/use-me';
import { section } from '@/lib/title';
import { accountQuery } from './account-query';
import { DeleteAccount, MailForm, PasswordForm } from './account-forms';
import { NotificationSettings } from './notification-settings';
import { Sessions } from './sessions';

const EXPORT = '/api/account_export.php' satisfies Path;

export function AccountSettings() {
  const say = useAccountText();
  const notifications = useNotificationText();
  const me = useMe();
  const { data: account, error, refetch } = useQuery(accountQuery);
  if (error && !account) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!account || !me) return <div aria-busy="true" className="skeleton min-h-96 rounded-card" />;
  return (
    <section aria-labelledby="account-settings" className="flex max-w-2xl flex-col gap-8">
      <h2 id="account-settings" className={section}>
        {say('settingsTitle')}
      </h2>
      <Part title={say('changePassword')}>
        <PasswordForm account={account} username={me.username} />
      </Part>
      <Part title={say('changeMail')}>
        <MailForm account={account} />
      </Part>
      <Part title={notifications('settings')}>
        <NotificationSettings />
      </Part>
      <Part title={say('sessions')}>
        <Sessions sessions={account.sessions} />
      </Part>
      <Part title={say('export')}>
        <p className="text-sm text-muted">{say('exportText')}</p>
        <a href={EXPORT} download className={`${button.plain} self-start`}>
          <MemberIcon name="download" size={18} />
          {say('exportButton')}
        </a>
      </Part>
      <Part title={say('deleteTitle')}>
        <DeleteAccount account={account} username={me.username} />
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-t border-line pt-6">
      <h3 id={id} className="text-base font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}
