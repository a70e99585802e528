import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { CaptchaPlace } from '@/shared/captcha/captcha-place';
import { useCaptcha } from '@/shared/captcha/use-captcha';
import { post } from '@/api/client';
import { Field, Submit } from '@/ui/form/field';
import { FormBox } from '@/ui/form/form-box';
import { secretField, textField, useForm } from '@/ui/form/use-form';
import { MailSent } from './mail-sent';
import { PageFrame } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';
import { checkNewPassword, checkRestore, PASSWORD_MIN } from '@/shared/account/validation';

/** The mail's link brings a token; without one the form requests the mail. */
export function RestorePage({ search }: { search: string }) {
  const say = useAccountText();
  const token = new URLSearchParams(search).get('token');
  const [email, setEmail] = useState<string | null>(null);
  if (token) return <NewPassword token={token} />;
  if (email !== null) return <MailSent text={say('restoreSent', { email })} />;
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
      <Field
        form={form}
        name="eml"
        type="email"
        label={say('email')}
        required
        autoComplete="email"
      />
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('sendLink')}</Submit>
    </FormBox>
  );
}

function NewPassword({ token }: { token: string }) {
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
        <Field
          form={form}
          name="pwd"
          type="password"
          label={say('newPassword')}
          hint={say('passwordHint', { min: PASSWORD_MIN })}
          required
          autoComplete="new-password"
        />
        <Submit form={form}>{say('setPassword')}</Submit>
      </FormBox>
    </PageFrame>
  );
}
