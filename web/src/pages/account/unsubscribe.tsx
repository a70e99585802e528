/**
 * The page that a link in a summary mail opens. Mail programs open links, too, so only the page's button ends the summaries.
 */
import { useState } from 'react';
import { post } from '@/api/client';
import { useAccountText } from '@/i18n/account';
import { Note, PageFrame } from '@/shared/account/page-frame';
import { Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';

export function UnsubscribePage({ search }: { search: string }) {
  const say = useAccountText();
  const token = new URLSearchParams(search).get('token') ?? '';
  const [stopped, setStopped] = useState(false);
  const form = useForm({
    fields: [],
    send: async () => {
      await post('/api/unsubscribe.php', { token });
      setStopped(true);
    },
  });
  return (
    <PageFrame title={say('unsubscribeTitle')}>
      {stopped ? (
        <Note good>{say('unsubscribed')}</Note>
      ) : (
        <FormBox form={form}>
          <p>{say('unsubscribeText')}</p>
          <Submit form={form}>{say('unsubscribeButton')}</Submit>
        </FormBox>
      )}
    </PageFrame>
  );
}
