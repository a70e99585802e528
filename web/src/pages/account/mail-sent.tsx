/** In place of a form whose next step lies in a mail. */
import { useEffect, useRef } from 'react';
import { MemberIcon } from '@/ui/member-icons';
import { PageFrame } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';

export function MailSent({ text }: { text: string }) {
  const say = useAccountText();
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form that had the focus is gone.
    told.current?.focus();
  }, []);
  return (
    <PageFrame title={say('checkMail')}>
      <div ref={told} tabIndex={-1} className="flex gap-4 outline-none">
        <span className="text-accent">
          <MemberIcon name="mail" size={28} />
        </span>
        <div className="flex flex-col gap-2">
          <p className="break-words">{text}</p>
          <p className="text-sm text-muted">{say('spamHint')}</p>
        </div>
      </div>
    </PageFrame>
  );
}
