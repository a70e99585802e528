import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/ui/toast';
import { Submit } from '@/ui/form/field';
import { CaptchaPlace, useProof } from '@/shared/captcha/use-captcha';
import { FormBox, secretField, useForm } from '@/ui/form/use-form';
import { useAccountText } from '@/i18n/account';
import { NewPassword, WhosePassword } from '@/shared/account/fields';
import { checkPasswordChange } from '@/shared/account/validation';
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
        <WhosePassword username={username} />
        <PasswordNow form={form} account={account} />
        <NewPassword form={form} label={say('newPassword')} />
        <CaptchaPlace captcha={captchaBox} />
        <Submit form={form}>{say('save')}</Submit>
      </FormBox>
    </div>
  );
}
