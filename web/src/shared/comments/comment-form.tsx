/** Writing a comment. What was typed stays until it is published. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery, type Me } from '@/shared/account/use-me';
import { requestLogin } from '@/shared/account/login-request';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { post } from '@/api/client';
import { lengthOf } from '@/lib/length';
import { ApiError } from '@/lib/http';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { found } from '@/ui/form/checks';
import { Problem, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { COMMENT, commentProblem, countdown } from './rules';
import { addFields, commentsUrl, type CommentsAnswer, type Subject } from './subject';
import { startWait, useWait } from './use-wait';

interface Props {
  subject: Subject;
  me: Me;
  /** Leads to the page the new comment is on. */
  onSent: () => void;
}

export function CommentForm({ subject, me, onSent }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const [used, setUsed] = useState(0);
  const wait = useWait();

  const publish = async (msg: string) => {
    const key = [commentsUrl(subject, 1, true)];
    await client.cancelQueries({ queryKey: key });
    const before = client.getQueryData<CommentsAnswer>(key);
    if (before) client.setQueryData<CommentsAnswer>(key, withNew(before, subject, me, msg));
    onSent();
    try {
      await post('/api/stat.php', addFields(subject, msg));
    } catch (error) {
      if (before) client.setQueryData<CommentsAnswer>(key, before);
      if (error instanceof ApiError) {
        if (typeof error.info.retry_after === 'number') startWait(error.info.retry_after);
        if (error.code === 'need_auth') {
          client.setQueryData(meQuery.queryKey, { user: null });
          requestLogin();
        }
      }
      throw error;
    }
    void client.invalidateQueries({ queryKey: key });
  };
  const form = useForm({
    fields: ['msg'],
    check: (data) => found({ msg: commentProblem(textField(data, 'msg')) }),
    send: async (data, element) => {
      await publish(textField(data, 'msg'));
      element.reset();
      setUsed(0);
      void toast(say('didComment'));
    },
  });
  return (
    <FormBox form={form} className="flex max-w-prose flex-col gap-2">
      <TextArea
        form={form}
        name="msg"
        label={say('yourComment')}
        rows={3}
        onChange={({ target }) => {
          setUsed(lengthOf(target.value.trim()));
        }}
      />
      <Problem form={form} />
      <div className="flex min-h-10 items-center justify-between gap-4">
        <p
          className={cn('text-xs tabular-nums', used > COMMENT.max ? 'text-danger' : 'text-muted')}
        >
          {wait > 0 ? (
            <span role="timer">{say('nextAt', { time: countdown(wait) })}</span>
          ) : (
            say('characters', {
              used: formatNumber(used, lang),
              max: formatNumber(COMMENT.max, lang),
            })
          )}
        </p>
        <button type="submit" disabled={form.pending || wait > 0} className={button.primary}>
          {say('send')}
        </button>
      </div>
    </FormBox>
  );
}

/** The page as it will be once the comment is published. Its id is none the server gives. */
function withNew(page: CommentsAnswer, subject: Subject, me: Me, msg: string): CommentsAnswer {
  const fresh = {
    comment_id: -Date.now(),
    section: subject.section === 'wall' ? ('user' as const) : subject.section,
    object_id: subject.id,
    user_id: me.user_id,
    username: me.username,
    avatar: me.avatar,
    comment: msg,
    added_date: new Date().toISOString(),
  };
  return { ...page, comments: [fresh, ...page.comments], total_count: page.total_count + 1 };
}
