import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '@/i18n/errors';
import { age, countryName } from '@/lib/format';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { MemberIcon } from '@/ui/member-icons';
import { useAccountText } from '@/i18n/account';
import { accountQuery, changeAccount, type Session } from './account-query';

export function Sessions({ sessions }: { sessions: Session[] }) {
  const say = useAccountText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: changeAccount,
    onError: async (error) => toast(await errorText(error, lang), 'error'),
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  return (
    <>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.session_id} className="flex items-center gap-4 py-3">
            <span className="text-muted">
              <MemberIcon name="device" size={20} />
            </span>
            <div className="min-w-0 flex-1 text-sm">
              <p className="font-semibold break-words">{session.agent || say('unknownDevice')}</p>
              <p className="text-muted">
                {session.current
                  ? say('thisDevice')
                  : say('lastUsed', { when: age(session.last_used_at, lang) })}
                {session.country !== 'XX' ? ` · ${countryName(session.country, lang)}` : ''}
              </p>
            </div>
            {!session.current && (
              <Button
                look="plain"
                disabled={isPending}
                aria-label={`${say('endSession')}: ${session.agent || say('unknownDevice')}`}
                onClick={() => mutate({ act: 'end_session', session_id: session.session_id })}
              >
                {say('endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          look="plain"
          disabled={isPending}
          className="self-start"
          onClick={() => mutate({ act: 'end_other_sessions' })}
        >
          {say('endOthers')}
        </Button>
      )}
    </>
  );
}
