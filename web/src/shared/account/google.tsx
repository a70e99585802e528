/** Login with Google, which is shown if the operator has configured it. */
import { useState } from 'react';
import { errorText } from '@/i18n/errors';
import { fetchAnswer } from '@/api/client';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { sent } from '@/lib/sent';
import { storeReturn } from './return-page';
import { useAccountText } from '@/i18n/account';

interface Props {
  /** The page to return to. */
  next: string;
  onLeave?: (() => void) | undefined;
}

export function GoogleButton({ next, onLeave }: Props) {
  const say = useAccountText();
  const { lang } = useVisitor();
  const [pending, setPending] = useState(false);
  // The page's data says whether the login is available, because calling the endpoint would start a login.
  if (!sent().google) return null;
  const leave = async () => {
    setPending(true);
    try {
      const { url } = await fetchAnswer('/api/login.g.php', { agree18: 1 });
      storeReturn(next);
      onLeave?.();
      location.assign(url);
    } catch (error) {
      setPending(false);
      await toast(await errorText(error, lang), 'error');
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {say('or')}
      </p>
      <Button look="plain" disabled={pending} className="h-11 w-full" onClick={() => void leave()}>
        {say('google')}
      </Button>
      <p className="text-center text-xs text-muted">{say('googleAgree')}</p>
    </div>
  );
}
