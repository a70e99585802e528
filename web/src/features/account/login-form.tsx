import { useState } from 'react';
import { Link } from 'wouter';
import { CaptchaPlace } from '@/features/captcha/captcha-place';
import { useCaptcha } from '@/features/captcha/use-captcha';
import { ApiFailure, fieldCodes, post } from '@/lib/post';
import { Field, Submit } from '@/ui/form/field';
import { FormBox } from '@/ui/form/form-box';
import { secretField, textField, useForm } from '@/ui/form/use-form';
import { GoogleButton } from './google';
import { withNext } from './next';
import { useSay } from './texts';
import { checkLogin } from './validation';

interface Props {
  /** Where a sign-in elsewhere leads back to. */
  next: string;
  onDone: () => Promise<void> | void;
  /** A link was followed. */
  onLeave?: () => void;
}

const wantsCaptcha = (error: unknown): boolean => {
  if (!(error instanceof ApiFailure)) return false;
  return error.code.startsWith('captcha_') || fieldCodes(error).captcha !== undefined;
};

export function LoginForm({ next, onDone, onLeave }: Props) {
  const say = useSay();
  const captcha = useCaptcha('login');
  // Asked for after failures only; from then on each try brings one.
  const [asked, setAsked] = useState(false);
  const form = useForm({
    fields: ['usr', 'pwd'],
    check: checkLogin,
    send: async (data) => {
      const fields = { usr: textField(data, 'usr'), pwd: secretField(data, 'pwd') };
      const login = async (proven: boolean) =>
        post('/api/login.php', { ...fields, captcha: proven ? await captcha.take() : undefined });
      try {
        await login(asked);
      } catch (error) {
        if (asked || !wantsCaptcha(error)) throw error;
        setAsked(true);
        // The visitor has nothing to do for it, so the same try goes on.
        await login(true);
      }
      await onDone();
    },
  });
  return (
    <FormBox form={form}>
      <Field
        form={form}
        name="usr"
        label={say('user')}
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex flex-col gap-2">
        <Field
          form={form}
          name="pwd"
          type="password"
          label={say('password')}
          required
          autoComplete="current-password"
        />
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
      <GoogleButton next={next} />
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
