/** The form for a comment. The text stays until it is published. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '@/shared/account/use-me';
import { requestLogin } from '@/shared/account/login-request';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { lengthOf } from '@/lib/length';
import { limits } from '@/lib/limits';
import { ApiError } from '@/lib/http';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Button, button } from '@/ui/button';
import { found } from '@/ui/form/checks';
import { Problem, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { commentProblem, countdown } from './rules';
import { startWait, useWait } from './use-wait';

interface Props {
  label: string;
  /** Sends the text. It throws an error if the server refuses it. */
  publish: (msg: string) => Promise<void>;
  /** The message that is shown once the comment is published. */
  done: string;
  /** Closes a reply's form. */
  onCancel?: () => void;
}

export function CommentForm({ label, publish, done, onCancel }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const [used, setUsed] = useState(0);
  const wait = useWait();

  const send = async (msg: string) => {
    try {
      await publish(msg);
    } catch (error) {
      if (error instanceof ApiError) {
        if (typeof error.info.retry_after === 'number') startWait(error.info.retry_after);
        if (error.code === 'need_auth') {
          client.setQueryData(meQuery.queryKey, { user: null });
          requestLogin();
        }
      }
      throw error;
    }
  };
  const form = useForm({
    fields: ['msg'],
    check: (data) => found({ msg: commentProblem(textField(data, 'msg')) }),
    send: async (data, element) => {
      await send(textField(data, 'msg'));
      element.reset();
      setUsed(0);
      void toast(done);
    },
  });
  return (
    <FormBox form={form} className="flex max-w-prose flex-col gap-2">
      <TextArea
        form={form}
        name="msg"
        label={label}
        rows={onCancel ? 2 : 3}
        // A user who presses Reply is about to type.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={onCancel !== undefined}
        onChange={({ target }) => setUsed(lengthOf(target.value.trim()))}
      />
      <Problem form={form} />
      <div className="flex min-h-10 items-center justify-between gap-4">
        <p
          className={cn(
            'text-xs tabular-nums',
            used > limits().comment.max ? 'text-danger' : 'text-muted',
          )}
        >
          {wait > 0 ? (
            <span role="timer">{say('nextAt', { time: countdown(wait) })}</span>
          ) : (
            say('characters', {
              used: formatNumber(used, lang),
              max: formatNumber(limits().comment.max, lang),
            })
          )}
        </p>
        <div className="flex gap-2">
          {onCancel && (
            <Button look="plain" onClick={onCancel}>
              {say('cancel')}
            </Button>
          )}
          <button type="submit" disabled={form.pending || wait > 0} className={button.primary}>
            {say('send')}
          </button>
        </div>
      </div>
    </FormBox>
  );
}
