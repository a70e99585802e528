import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { Redirect } from '@/shared/layout/redirect';
import { useT } from '@/i18n';
import { useErrorText } from '@/i18n/errors';
import { button } from '@/ui/button';
import { LoginForm } from '@/shared/account/login-form';
import { nextOf } from '@/shared/account/next';
import { Note, PageFrame } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';
import { useMe } from '@/shared/account/use-me';
import { wishedPath } from '@/shared/account/wish';

export function SignInPage({ search }: { search: string }) {
  const say = useAccountText();
  const t = useT();
  const me = useMe();
  const textOf = useErrorText();
  const params = new URLSearchParams(search);
  // The mailed link doesn't contain the page that the new member came from.
  const next = (params.has('confirmed') ? wishedPath() : null) ?? nextOf(search);
  // A changed address is confirmed by members who are already logged in.
  if (me && !params.has('confirmed')) return <Redirect to={next} />;
  return (
    <PageFrame title={say('signIn')}>
      {params.get('confirmed') === '1' && (
        <Note good>{say(me ? 'mailConfirmed' : 'confirmed')}</Note>
      )}
      {params.has('error') && <Note good={false}>{textOf({ code: params.get('error') })}</Note>}
      {params.get('restored') === '1' && <Note good>{say('restored')}</Note>}
      {me ? (
        <Link href={paths.home} className={button.primary}>
          {t('notFound.home')}
        </Link>
      ) : (
        <LoginForm
          next={next}
          onDone={() => {
            // Loads a new page, which the server renders for members.
            location.assign(next);
          }}
        />
      )}
    </PageFrame>
  );
}
