import { useState } from 'react';
import { Submit } from '@/ui/form/field';
import { CaptchaPlace, useProof } from '@/shared/captcha/use-captcha';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { EmailField } from '@/shared/account/fields';
import { Note } from '@/shared/account/page-frame';
import { useAccountText } from '@/i18n/account';
import { checkMailChange } from '@/shared/account/validation';
import { changeAccount, type Account } from './account-query';
import { PasswordNow, passwordNow } from './password-now';

export function MailForm({ account }: { account: Account }) {
  const say = useAccountText();
  const [sent, setSent] = useState<string | null>(null);
  const { captcha: captchaBox, sending } = useProof();
  const form = useForm({
    fields: ['pwd_now', 'eml'],
    check: checkMailChange,
    send: async (data, element) => {
      const eml = textField(data, 'eml');
      await sending((captcha) =>
        changeAccount({ act: 'mail', ...passwordNow(data), eml, captcha }),
      );
      element.reset();
      setSent(eml);
    },
  });
  return (
    <div className="max-w-md">
      <FormBox form={form}>
        <p className="text-sm text-muted">{say('currentMail', { email: account.email })}</p>
        {sent === null && account.new_email && (
          <p className="text-sm text-muted">{say('waitingMail', { email: account.new_email })}</p>
        )}
        {sent !== null && <Note good>{say('confirmSent', { email: sent })}</Note>}
        <EmailField form={form} label={say('newMail')} />
        <PasswordNow form={form} account={account} />
        <CaptchaPlace captcha={captchaBox} />
        <Submit form={form}>{say('save')}</Submit>
      </FormBox>
    </div>
  );
}
