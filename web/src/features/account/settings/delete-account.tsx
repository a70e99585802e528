import { useState } from 'react';
import { button } from '@/ui/button';
import { Submit } from '@/ui/form/field';
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
  const form = useForm({
    fields: ['pwd_now'],
    check: checkDelete,
    send: async (data) => {
      await changeAccount({ act: 'delete', ...passwordNow(data) });
      // Nothing on this page belongs to anybody any more.
      location.assign('/');
    },
  });
  return (
    <FormBox form={form}>
      <p>{say('deleteSure', { name: username })}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordNow form={form} account={account} />
      <Submit form={form}>{say('deleteForGood')}</Submit>
    </FormBox>
  );
}
