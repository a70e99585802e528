import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { CaptchaPlace, useCaptcha } from '@/shared/captcha/use-captcha';
import { post } from '@/api/client';
import { Submit } from '@/ui/form/field';
import { FormBox, secretField, textField, useForm } from '@/ui/form/use-form';
import { EmailField, NewPassword } from '@/shared/account/fields';
import { MailSent } from './mail-sent';
import { PageFrame } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';
import { checkNewPassword, checkRestore } from '@/shared/account/validation';

/** The mail's link brings a token; without one the form requests the mail. */
export function RestorePage({ search }: { search: string }) {
  const say = useAccountText();
  const token = new URLSearchParams(search).get('token');
  const [email, setEmail] = useState<string | null>(null);
  if (token) return <SetPassword token={token} />;
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
