import { useOpen } from '@/lib/use-open';
import { useActionText } from '@/i18n/actions';
import { Button } from '@/ui/button';
import { Submit, Tick } from '@/ui/form/field';
import { CaptchaPlace, useProof } from '@/shared/captcha/use-captcha';
import { FormBox, useForm } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import { useAccountText } from '@/i18n/account';
import { WhosePassword } from '@/shared/account/fields';
import { checkDelete } from '@/shared/account/validation';
import { changeAccount, type Account } from './account-query';
import { PasswordNow, passwordNow } from './password-now';

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
      // Nothing on this page belongs to anybody any more.
      location.assign('/');
    },
  });
  return (
    <FormBox form={form}>
      <p>{say('deleteSure', { name: username })}</p>
      <WhosePassword username={username} />
      <Tick form={form} name="uploads" label={say('deleteUploads')} />
      <PasswordNow form={form} account={account} />
      <CaptchaPlace captcha={captchaBox} />
      <div className="flex flex-col gap-3">
        <Submit form={form}>{say('deleteForGood')}</Submit>
        <Button look="plain" className="h-11" onClick={onCancel}>
          {act('cancel')}
        </Button>
      </div>
    </FormBox>
  );
}
