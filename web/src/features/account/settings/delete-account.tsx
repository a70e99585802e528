import { useState } from 'react';
import { button } from '@/ui/button';
import { Submit, Tick } from '@/ui/form/field';
import { CaptchaPlace } from '@/features/captcha/captcha-place';
import { useProof } from '@/features/captcha/use-proof';
import { FormBox } from '@/ui/form/form-box';
import { useForm } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import { useSay } from '../texts';
import { checkDelete } from '../validation';
import { changeAccount, type Account } from './account-query';
import { PasswordNow, passwordNow } from './password-now';

export function DeleteAccount({ account, username }: { account: Account; username: string }) {
  const say = useSay();
  const [open, setOpen] = useState(false);
  return (
    <>
      <p className="text-sm text-muted">{say('deleteText')}</p>
      <button
        type="button"
        aria-haspopup="dialog"
        className={`${button.plain} self-start text-danger`}
        onClick={() => {
          setOpen(true);
        }}
      >
        {say('deleteTitle')}
      </button>
      {open && (
        <Sheet
          title={say('deleteTitle')}
          place="center"
          onClose={() => {
            setOpen(false);
          }}
        >
          <Confirm account={account} username={username} />
        </Sheet>
      )}
    </>
  );
}

function Confirm({ account, username }: { account: Account; username: string }) {
  const say = useSay();
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
      // Nothing on this page belongs to anybody any more.
      location.assign('/');
    },
  });
  return (
    <FormBox form={form}>
      <p>{say('deleteSure', { name: username })}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Tick form={form} name="uploads" label={say('deleteUploads')} />
      <PasswordNow form={form} account={account} />
      <CaptchaPlace captcha={captchaBox} />
      <Submit form={form}>{say('deleteForGood')}</Submit>
    </FormBox>
  );
}
