/** Writing a message: Enter sends, Shift and Enter begin a line. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import { control } from '@/shared/actions/field';
import { textWrong } from '@/shared/actions/playlist-rules';
import { useForm } from '@/shared/actions/use-form';
import { listUrl } from '@/shared/queries/own-lists';
import { useAreaSay } from '@/i18n/member';
import { cn } from '@/lib/cn';
import { post } from '@/api/client';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { MESSAGE_MAX, threadQuery, withSent, type Thread } from './thread';

const FIELDS = ['text'] as const;

export function MessageForm({ id }: { id: number }) {
  const say = useAreaSay();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const { busy, errorOf, problem, refuse, submit } = useForm(FIELDS);
  const { queryKey } = threadQuery(id);
  const send = async () => {
    const wrong = textWrong(text, { min: 1, max: MESSAGE_MAX });
    if (wrong) {
      refuse({ text: wrong });
      return;
    }
    const before = client.getQueryData(queryKey);
    const sent = await submit(async () => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(
        queryKey,
        (old) => old && withSent(old as Thread, text.trim(), new Date()),
      );
      try {
        await post('/api/messages.php', { act: 'send', to: id, text: text.trim() });
      } catch (error) {
        client.setQueryData(queryKey, before);
        throw error;
      }
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: [listUrl('messages', 1, lang)] });
    });
    if (sent) setText('');
  };
  const onKey = (event: KeyboardEvent) => {
    // Enter also ends a word that is being composed (Japanese): that is no wish to send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const error = errorOf('text') ?? problem;
  return (
    <form
      noValidate
      className="flex flex-col gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error !== undefined && (
        <p id="message-error" role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          aria-label={say('yourMessage')}
          placeholder={say('yourMessage')}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'message-error'}
          rows={1}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
          }}
          onKeyDown={onKey}
          className={cn(control, 'field-sizing-content max-h-40 min-h-10 py-2')}
        />
        <button
          type="submit"
          disabled={busy}
          className={`${button.primary} shrink-0 whitespace-nowrap`}
        >
          {say('send')}
        </button>
      </div>
    </form>
  );
}
