/** Sign-up and password reset: forms that continue with a mailed link. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { post } from '@/api/client';
import { useAccountText } from '@/i18n/account';
import { waitText } from '@/i18n/errors';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { EmailField, NewPassword, UserField } from '@/shared/account/fields';
import { GoogleButton } from '@/shared/account/google';
import { nextOf, withNext } from '@/shared/account/next';
import { Note, PageFrame } from '@/shared/account/page-frame';
import { useMe } from '@/shared/account/use-me';
import { storePath } from '@/shared/account/wish';
import { checkNewPassword, checkRestore, checkSignup } from '@/shared/account/validation';
import { CaptchaPlace, useCaptcha } from '@/shared/captcha/use-captcha';
import { Redirect } from '@/shared/layout/redirect';
import { button } from '@/ui/button';
import { Problem, Submit, Checkbox } from '@/ui/form/field';
import { FormBox, secretField, textField, useForm } from '@/ui/form/use-form';
import { MemberIcon } from '@/ui/member-icons';

export function SignUpPage({ search }: { search: string }) {
  const say = useAccountText();
  const me = useMe();
  const [email, setEmail] = useState<string | null>(null);
  const next = nextOf(search);
  if (me) return <Redirect to={next} />;
  if (email !== null)
    return (
      <MailSent text={say('confirmSent', { email })}>
        <SendAgain email={email} />
        <Link href={withNext('/signin/', next)} className="self-start text-accent hover:underline">
          {say('signIn')}
        </Link>
      </MailSent>
    );
  return (
    <PageFrame title={say('signUp')}>
      <SignUpForm
        next={next}
        onDone={(sentTo) => {
          storePath(next);
          setEmail(sentTo);
        }}
      />
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
        hint={say('userHint', { ...limits().username })}
      />
      <EmailField form={form} label={say('email')} />
      <NewPassword form={form} label={say('password')} />
      <Checkbox form={form} name="agree18" label={say('agree18')} required />
      <p className="-mt-2 flex flex-wrap gap-x-4 ps-8 text-sm">
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

/** Handles a password reset. The mailed link has a token. Without one, the form requests the mail. */
export function RestorePage({ search }: { search: string }) {
  const say = useAccountText();
  const { lang } = useVisitor();
  const token = new URLSearchParams(search).get('token');
  const [email, setEmail] = useState<string | null>(null);
  if (token) return <SetPassword token={token} />;
  if (email !== null)
    return (
      <MailSent
        text={say('restoreSent', { email, time: waitText(limits().restore_seconds, lang) })}
      />
    );
  return (
    <PageFrame title={say('restoreTitle')}>
      <p className="-mt-2 text-sm text-muted">{say('restoreText')}</p>
      <AskForLink onDone={setEmail} />
    </PageFrame>
  );
}

function AskForLink({ onDone }: { onDone: (email: string) => void }) {
  const say = useAccountText();
  const captcha = useCaptcha('restore');
  const form = useForm({
    fields: ['eml'],
    check: checkRestore,
    send: async (data) => {
      const eml = textField(data, 'eml');
      await post('/api/restore.php', { eml, captcha: await captcha.take() });
      onDone(eml);
    },
  });
  return (
    <FormBox form={form} onBegin={captcha.start}>
      <EmailField form={form} label={say('email')} />
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('sendLink')}</Submit>
    </FormBox>
  );
}

function SetPassword({ token }: { token: string }) {
  const say = useAccountText();
  const form = useForm({
    fields: ['pwd'],
    check: checkNewPassword,
    send: async (data) => {
      await post('/api/restore_confirm.php', { token, pwd: secretField(data, 'pwd') });
      navigate('/signin/?restored=1', { replace: true });
    },
  });
  return (
    <PageFrame title={say('restoreTitle')}>
      <FormBox form={form}>
        <NewPassword form={form} label={say('newPassword')} />
        <Submit form={form}>{say('setPassword')}</Submit>
      </FormBox>
    </PageFrame>
  );
}

/** Sends the confirmation mail again, within the limit for mails to one address. */
function SendAgain({ email }: { email: string }) {
  const say = useAccountText();
  const captcha = useCaptcha('restore');
  const [sent, setSent] = useState(false);
  const form = useForm({
    fields: [],
    send: async () => {
      setSent(false);
      await post('/api/confirm_again.php', { usr: email, captcha: await captcha.take() });
      setSent(true);
    },
  });
  return (
    <FormBox form={form} className="flex flex-col gap-4">
      {sent && <Note good>{say('sentAgain')}</Note>}
      <CaptchaPlace captcha={captcha} />
      <Problem form={form} />
      <button type="submit" disabled={form.pending} className={`${button.plain} self-start`}>
        {say('sendAgain')}
      </button>
    </FormBox>
  );
}

/** Shown in place of a form. */
function MailSent({ text, children }: { text: string; children?: ReactNode }) {
  const say = useAccountText();
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form that had the focus is gone.
    note.current?.focus();
  }, []);
  return (
    <PageFrame title={say('checkMail')}>
      <div ref={note} tabIndex={-1} className="flex gap-4 outline-none">
        <span className="text-accent">
          <MemberIcon name="mail" size={28} />
        </span>
        <div className="flex flex-col gap-2">
          <p className="break-words">{text}</p>
          <p className="text-sm text-muted">{say('spamHint')}</p>
        </div>
      </div>
      {children}
    </PageFrame>
  );
}
