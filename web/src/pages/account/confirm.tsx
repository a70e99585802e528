/** The page that a mailed link opens. Mail programs open links, too, so only the page's button changes something. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { Path, Schema } from '@/api/call';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { useErrorText } from '@/i18n/errors';
import { ApiError } from '@/lib/http';
import { get, post } from '@/api/client';
import { button } from '@/ui/button';
import { Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import { LoadError } from '@/ui/problem';
import { Note, PageFrame } from '@/shared/account/page-frame';
import { useAccountText, type AccountTextKey } from '@/i18n/account';
import { useMe } from '@/shared/account/use-me';

type MailedLink = Schema<'LinkAnswer'>;
type Purpose = MailedLink['purpose'];

const URL = '/api/confirm.php' satisfies Path;

/** Texts for each purpose that a link may have. */
const WORDS: Record<Purpose, Record<'title' | 'text' | 'button' | 'before', AccountTextKey>> = {
  confirm: {
    title: 'confirmTitle',
    text: 'confirmText',
    button: 'confirmButton',
    before: 'confirmedBefore',
  },
  mail: {
    title: 'confirmTitle',
    text: 'confirmMailText',
    button: 'confirmButton',
    before: 'confirmedBefore',
  },
  stop: { title: 'stopTitle', text: 'stopText', button: 'stopButton', before: 'stoppedBefore' },
};

export function ConfirmPage({ search }: { search: string }) {
  const say = useAccountText();
  const textOf = useErrorText();
  const token = new URLSearchParams(search).get('token') ?? '';
  const { data, error, refetch } = useQuery({
    ...get(URL, { token }),
    // The page itself shows the button's result.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (error instanceof ApiError && error.status === 422)
    return (
      <PageFrame title={say('confirmTitle')}>
        <Note good={false}>{textOf(error)}</Note>
        <NextSteps />
      </PageFrame>
    );
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <div aria-busy="true" className="skeleton min-h-96" />;
  const words = WORDS[data.purpose];
  return (
    <PageFrame title={say(words.title)}>
      {data.used ? (
        <>
          <Note good>{say(words.before)}</Note>
          <NextSteps />
        </>
      ) : (
        <Follow token={token} purpose={data.purpose} />
      )}
    </PageFrame>
  );
}

/** Shows where to continue after a link has expired. */
function NextSteps() {
  const say = useAccountText();
  const t = useT();
  const me = useMe();
  return (
    <Link href={me ? paths.home : '/signin/'} className={button.primary}>
      {me ? t('notFound.home') : say('signIn')}
    </Link>
  );
}

function Follow({ token, purpose }: { token: string; purpose: Purpose }) {
  const say = useAccountText();
  const [stopped, setStopped] = useState(false);
  const [before, setBefore] = useState(false);
  const words = WORDS[purpose];
  const form = useForm({
    fields: [],
    send: async () => {
      try {
        await post(URL, { token });
      } catch (error) {
        // The link was used in another window in the meantime, so nothing is left to do.
        if (!(error instanceof ApiError) || error.code !== 'token_used') throw error;
        setBefore(true);
        return;
      }
      if (purpose === 'stop') setStopped(true);
      else navigate('/signin/?confirmed=1', { replace: true });
    },
  });
  if (before)
    return (
      <>
        <Note good>{say(words.before)}</Note>
        <NextSteps />
      </>
    );
  if (stopped)
    return (
      <>
        <Note good>{say('stopped')}</Note>
        <Link href="/restore-password/" className={button.primary}>
          {say('restoreTitle')}
        </Link>
      </>
    );
  return (
    <FormBox form={form}>
      <p>{say(words.text)}</p>
      <Submit form={form}>{say(words.button)}</Submit>
    </FormBox>
  );
}
