/** Tells the site what is wrong with a thing. Guests may, too. */
import { useState, type SyntheticEvent } from 'react';
import { useMe } from '@/features/account/use-me';
import { useErrorText } from '@/i18n/errors';
import { post } from '@/lib/post';
import { toast } from '@/lib/toast';
import { button } from '@/ui/button';
import Sheet from '@/ui/sheet';
import { control, Field } from './field';
import type { Section } from './member-state';
import { useSay } from './texts';
import { useForm } from './use-form';

const REASONS = [
  'illegal',
  'minor',
  'non_consensual',
  'private_data',
  'copyright',
  'violence',
  'spam',
  'insult',
  'broken',
  'other',
] as const;
const FIELDS = ['reason', 'email', 'message', 'file', 'captcha'] as const;

interface Props {
  section: Exclude<Section, 'channel'> | 'comment';
  id: number;
  title: string;
  onClose: () => void;
}

export default function ReportDialog({ section, id, title, onClose }: Props) {
  const say = useSay();
  const text = useErrorText();
  const me = useMe();
  const { busy, errorOf, problem, refuse, submit } = useForm(FIELDS);
  const [message, setMessage] = useState('');
  const [email, setEmail] = useState('');
  const send = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get('file');
    if (file instanceof File && file.size === 0) form.delete('file');
    const missing = { code: 'required' };
    const wrong = {
      ...(!message.trim() && { message: missing }),
      ...(!me && !email.trim() && { email: missing }),
    };
    if (Object.keys(wrong).length > 0) {
      refuse(wrong);
      return;
    }
    form.set('section', section);
    form.set('object_id', String(id));
    form.set('subject', title);
    form.set('ref', location.pathname);
    if (!(await submit(() => post('/api/report.php', form)))) return;
    onClose();
    await toast(say('didReport'));
  };
  return (
    <Sheet title={say('reportOf', { title })} place="center" onClose={onClose}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
        <Field label={say('reason')} error={errorOf('reason')}>
          {(named) => (
            <select {...named} name="reason" className={`${control} h-10`}>
              {REASONS.map((reason) => (
                <option key={reason} value={reason}>
                  {text({ code: `reason_${reason}` })}
                </option>
              ))}
            </select>
          )}
        </Field>
        {!me && (
          <Field label={say('email')} error={errorOf('email')}>
            {(named) => (
              <input
                {...named}
                type="email"
                name="email"
                autoComplete="email"
                value={email}
                onChange={(event) => {
                  setEmail(event.target.value);
                }}
                className={`${control} h-10`}
              />
            )}
          </Field>
        )}
        <Field label={say('whatIsWrong')} error={errorOf('message')}>
          {(named) => (
            <textarea
              {...named}
              name="message"
              rows={4}
              value={message}
              onChange={(event) => {
                setMessage(event.target.value);
              }}
              className={`${control} py-2`}
            />
          )}
        </Field>
        <Field label={say('picture')} error={errorOf('file')}>
          {(named) => (
            <input
              {...named}
              type="file"
              name="file"
              accept="image/*"
              className="text-sm file:me-3 file:h-10 file:rounded-control file:border-0 file:bg-raised file:px-4 file:text-sm file:font-semibold"
            />
          )}
        </Field>
        {problem && (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className={button.plain} onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" disabled={busy} className={button.primary}>
            {say('send')}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
