import { useState } from 'react';
import { Link } from 'wouter';
import { Redirect } from '@/shared/layout/redirect';
import { CaptchaPlace, useCaptcha } from '@/shared/captcha/use-captcha';
import { post } from '@/api/client';
import { Submit, Tick } from '@/ui/form/field';
import { FormBox, secretField, textField, useForm } from '@/ui/form/use-form';
import { EmailField, NewPassword, UserField } from '@/shared/account/fields';
import { GoogleButton } from '@/shared/account/google';
import { MailSent } from './mail-sent';
import { nextOf, withNext } from '@/shared/account/next';
import { PageFrame } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';
import { useMe } from '@/shared/account/use-me';
import { checkSignup, USER_MAX, USER_MIN } from '@/shared/account/validation';

export function SignUpPage({ search }: { search: string }) {
  const say = useAccountText();
  const me = useMe();
  const [email, setEmail] = useState<string | null>(null);
  const next = nextOf(search);
  if (me) return <Redirect to={next} />;
  if (email !== null) return <MailSent text={say('confirmSent', { email })} />;
  return (
    <PageFrame title={say('signUp')}>
      <SignUpForm next={next} onDone={setEmail} />
    </PageFrame>
  );
}

function SignUpForm({ next, onDone }: { next: string; onDone: (email: string) => void }) {
  const say = useAccountText();
  const captcha = useCaptcha('signup');
  const form = useForm({
    fields: ['usr', 'eml', 'pwd', 'agree18'],
    check: checkSignup,
    send: async (data) => {
      const eml = textField(data, 'eml');
      await post('/api/signup.php', {
        usr: textField(data, 'usr'),
        eml,
        pwd: secretField(data, 'pwd'),
        agree18: data.has('agree18'),
        captcha: await captcha.take(),
      });
      onDone(eml);
    },
  });
  return (
    <FormBox form={form} onBegin={captcha.start}>
      <UserField
        form={form}
        label={say('username')}
        hint={say('userHint', { min: USER_MIN, max: USER_MAX })}
      />
      <EmailField form={form} label={say('email')} />
      <NewPassword form={form} label={say('password')} />
      <Tick form={form} name="agree18" label={say('agree18')} required />
      <p className="-mt-2 flex gap-4 ps-8 text-sm">
        <Link href="/information/terms/" className="text-accent hover:underline">
          {say('terms')}
        </Link>
        <Link href="/information/privacy/" className="text-accent hover:underline">
          {say('privacy')}
        </Link>
      </p>
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('signUp')}</Submit>
      <GoogleButton next={next} />
      <p className="text-center text-sm text-muted">
        {say('haveAccount')}{' '}
        <Link
          href={withNext('/signin/', next)}
          className="font-semibold text-accent hover:underline"
        >
          {say('signIn')}
        </Link>
      </p>
    </FormBox>
  );
}
