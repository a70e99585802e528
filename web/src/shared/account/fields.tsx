/** Account fields with the names and hints that browsers and password managers expect. */
import { useAccountText } from '@/i18n/account';
import { limits } from '@/lib/limits';
import { Field } from '@/ui/form/field';
import type { Form } from '@/ui/form/use-form';

interface Props {
  form: Form;
  label: string;
}

export const UserField = (props: Props & { hint?: string }) => (
  <Field
    {...props}
    name="usr"
    required
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
  />
);

export const EmailField = ({ name = 'eml', ...props }: Props & { name?: string }) => (
  <Field {...props} name={name} type="email" required autoComplete="email" />
);

export const PresentPassword = (props: Props & { name: string }) => (
  <Field {...props} type="password" required autoComplete="current-password" />
);

export function NewPassword(props: Props) {
  const say = useAccountText();
  return (
    <Field
      {...props}
      name="pwd"
      type="password"
      hint={say('passwordHint', { min: limits().password_min })}
      required
      autoComplete="new-password"
    />
  );
}

/** Tells password managers which account the password belongs to. */
export const UsernameHint = ({ username }: { username: string }) => (
  <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
);
