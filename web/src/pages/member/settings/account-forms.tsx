/** Forms for changing the password and the email address, and for deleting the account. Each requires the current password. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountText } from '@/i18n/account';
import { useActionText } from '@/i18n/actions';
import { useOpen } from '@/lib/use-open';
import { EmailField, NewPassword, PresentPassword, UsernameHint } from '@/shared/account/fields';
import { Note } from '@/shared/account/page-frame';
import { checkDelete, checkMailChange, checkPasswordChange } from '@/shared/account/validation';
import { CaptchaPlace, useProof } from '@/shared/captcha/use-captcha';
import { Button } from '@/ui/button';
import { Submit, Checkbox } from '@/ui/form/field';
import { FormBox, secretField, textField, useForm, type Form } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import { toast } from '@/ui/toast';
import { accountQuery, changeAccount, type Account } from './account-query';

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
      // Changing the password has ended other sessions.
      await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  return (
    <div className="max-w-md">
      <FormBox form={form}>
        <UsernameHint username={username} />
        <PasswordNow form={form} account={account} />
        <NewPassword form={form} label={say('newPassword')} />
        <CaptchaPlace captcha={captchaBox} />
        <Submit form={form}>{say('save')}</Submit>
      </FormBox>
    </div>
  );
}

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

export function DeleteAccount({ account, username }: { account: Account; username: string }) {
  const say = useAccountText();
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <p className="text-sm text-muted">{say('deleteText')}</p>
      <Button
        look="plain"
        aria-haspopup="dialog"
        className="self-start text-danger!"
        onClick={open}
      >
        {say('deleteTitle')}
      </Button>
      {isOpen && (
        <Sheet title={say('deleteTitle')} place="center" onClose={close}>
          <Confirm account={account} username={username} onCancel={close} />
        </Sheet>
      )}
    </>
  );
}

interface ConfirmProps {
  account: Account;
  username: string;
  onCancel: () => void;
}

function Confirm({ account, username, onCancel }: ConfirmProps) {
  const say = useAccountText();
  const act = useActionText();
  const { captcha: captchaBox, sending } = useProof();
  const form = useForm({
    fields: ['pwd_now'],
    check: checkDelete,
    send: async (data) => {
      await sending((captcha) =>
        changeAccount({
          act: 'delete',
          ...passwordNow(data),
          uploads: data.has('uploads'),
          captcha,
        }),
      );
      // The account is deleted, so this page no longer belongs to anyone.
      location.assign('/');
    },
  });
  return (
    <FormBox form={form}>
      <p>{say('deleteSure', { name: username })}</p>
      <UsernameHint username={username} />
      <Checkbox form={form} name="uploads" label={say('deleteUploads')} />
      <PasswordNow form={form} account={account} />
      <CaptchaPlace captcha={captchaBox} />
      <div className="flex flex-col gap-3">
        <Submit form={form} danger>
          {say('deleteForGood')}
        </Submit>
        <Button look="plain" className="h-11" onClick={onCancel}>
          {act('cancel')}
        </Button>
      </div>
    </FormBox>
  );
}

/** The current password, required for every change. */
function PasswordNow({ form, account }: { form: Form; account: Account }) {
  const say = useAccountText();
  // Accounts that only use external login have no password.
  if (!account.has_password) return null;
  return <PresentPassword form={form} name="pwd_now" label={say('currentPassword')} />;
}

/** Returns the call's password field, or no field if the form has none. */
const passwordNow = (data: FormData): { pwd_now?: string } =>
  data.has('pwd_now') ? { pwd_now: secretField(data, 'pwd_now') } : {};
