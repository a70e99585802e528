import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/ui/toast';
import { Field, Submit } from '@/ui/form/field';
import { CaptchaPlace } from '@/shared/captcha/captcha-place';
import { useProof } from '@/shared/captcha/use-proof';
import { FormBox } from '@/ui/form/form-box';
import { secretField, useForm } from '@/ui/form/use-form';
import { useAccountText } from '@/i18n/account';
import { checkPasswordChange, PASSWORD_MIN } from '@/shared/account/validation';
import { accountQuery, changeAccount, type Account } from './account-query';
import { PasswordNow, passwordNow } from './password-now';

export function PasswordForm({ account, username }: { account: Account; username: string }) {
  const say = useAccountText();
  const client = useQueryClient();
  const { captcha: captchaBox, sending } = useProof();
  const form = useForm({
    fields: ['pwd_now', 'pwd'],
    check: checkPasswordChange,
    send: async (data, element) => {
      await sending((captcha) =>
        changeAccount({
          act: 'password',
          ...passwordNow(data),
          pwd: secretField(data, 'pwd'),
          captcha,
        }),
      );
      element.reset();
      await toast(say('passwordChanged'));
      // Other sessions ended with the old password.
      await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  return (
    <div className="max-w-md">
      <FormBox form={form}>
        {/* Tells password managers whose password changes. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={username}
          readOnly
          hidden
        />
        <PasswordNow form={form} account={account} />
        <Field
          form={form}
          name="pwd"
          type="password"
          label={say('newPassword')}
          hint={say('passwordHint', { min: PASSWORD_MIN })}
          required
          autoComplete="new-password"
        />
        <CaptchaPlace captcha={captchaBox} />
        <Submit form={form}>{say('save')}</Submit>
      </FormBox>
    </div>
  );
}
