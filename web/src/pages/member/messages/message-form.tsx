/** The message form. Enter sends the message, and Shift+Enter starts a new line. */
import { useQueryClient } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { changeAtOnce } from '@/shared/actions/at-once';
import { listUrl } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';
import { post } from '@/api/client';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { found, textProblem } from '@/ui/form/checks';
import { control } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { threadQuery, withSent, type Thread } from './thread';

export function MessageForm({ id }: { id: number }) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const { queryKey } = threadQuery(id);
  const deliver = async (text: string) => {
    const now = new Date();
    await changeAtOnce<Thread>({
      client,
      queryKey,
      change: (thread) => withSent(thread, text, now),
      send: () => post('/api/messages.php', { act: 'send', to: id, text }),
    });
    void client.invalidateQueries({ queryKey: [listUrl('messages', 1, lang)] });
  };
  const form = useForm({
    fields: ['text'],
    check: (data) => found({ text: textProblem(textField(data, 'text'), limits().message) }),
    send: async (data, element) => {
      await deliver(textField(data, 'text'));
      element.reset();
    },
  });
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter also confirms a composed word (in Japanese), which must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const error = form.error('text') ?? form.problem;
  return (
    <FormBox form={form} className="flex flex-col gap-2 border-t border-line p-3">
      {error !== undefined && (
        <p id="message-error" role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          name="text"
          aria-label={say('yourMessage')}
          placeholder={say('yourMessage')}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'message-error'}
          rows={1}
          onKeyDown={onKey}
          className={`${control} field-sizing-content max-h-40 min-h-10 py-2`}
        />
        <button
          type="submit"
          disabled={form.pending}
          className={`${button.primary} shrink-0 whitespace-nowrap`}
        >
          {say('send')}
        </button>
      </div>
    </FormBox>
  );
}
