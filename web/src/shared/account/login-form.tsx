import { Link } from 'wouter';
import { CaptchaPlace, useProof } from '@/shared/captcha/use-captcha';
import { post } from '@/api/client';
import { ApiError } from '@/lib/http';
import { Submit } from '@/ui/form/field';
import { FormBox, secretField, textField, useForm } from '@/ui/form/use-form';
import { PresentPassword, UserField } from './fields';
import { GoogleButton } from './google';
import { withNext } from './next';
import { useAccountText } from '@/i18n/account';
import { checkLogin } from './validation';

interface Props {
  /** The page that an external login returns to. */
  next: string;
  onDone: () => Promise<void> | void;
  /** Called when another way to log in is chosen. */
  onLeave?: () => void;
}

export function LoginForm({ next, onDone, onLeave }: Props) {
  const say = useAccountText();
  const { captcha, sending } = useProof();
  const form = useForm({
    fields: ['usr', 'pwd'],
    check: checkLogin,
    send: async (data) => {
      const fields = { usr: textField(data, 'usr'), pwd: secretField(data, 'pwd') };
      try {
        await sending((proof) => post('/api/login.php', { ...fields, captcha: proof }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'too_many_attempts') throw error;
        throw new ApiError(error.status, { code: 'too_many_logins', info: error.info });
      }
      await onDone();
    },
  });
  return (
    <FormBox form={form}>
      <UserField form={form} label={say('user')} />
      <div className="flex flex-col gap-2">
        <PresentPassword form={form} name="pwd" label={say('password')} />
        <Link
          href="/restore-password/"
          className="self-start text-sm text-accent hover:underline"
          onClick={onLeave}
        >
          {say('forgot')}
        </Link>
      </div>
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('signIn')}</Submit>
      <GoogleButton next={next} onLeave={onLeave} />
      <p className="text-center text-sm text-muted">
        {say('noAccount')}{' '}
        <Link
          href={withNext('/signup/', next)}
          className="font-semibold text-accent hover:underline"
          onClick={onLeave}
        >
          {say('signUp')}
        </Link>
      </p>
    </FormBox>
  );
}
