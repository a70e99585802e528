/** The present password, which every change of the account asks for. */
import { PresentPassword } from '@/shared/account/fields';
import { secretField, type Form } from '@/ui/form/use-form';
import { useAccountText } from '@/i18n/account';
import type { Account } from './account-query';

export function PasswordNow({ form, account }: { form: Form; account: Account }) {
  const say = useAccountText();
  // Whoever signs in elsewhere only has none.
  if (!account.has_password) return null;
  return <PresentPassword form={form} name="pwd_now" label={say('currentPassword')} />;
}

/** It as the call takes it; nothing where the form has no such field. */
export const passwordNow = (data: FormData): { pwd_now?: string } =>
  data.has('pwd_now') ? { pwd_now: secretField(data, 'pwd_now') } : {};
